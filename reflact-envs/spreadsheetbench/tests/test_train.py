"""A whole run: a planted rule lifts the score and is kept, through a real client, a real sandbox and LibreOffice."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import Resolved, resolve
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply
from reflact_cli.main import main
from reflact_env_spreadsheetbench.sample import write_sample

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.filterwarnings("ignore:.*are taken for one case:RuntimeWarning"),
]
RULE = "Save the workbook to OUTPUT_PATH at the very end."
LOAD = """import openpyxl
from collections import Counter
from datetime import time, timedelta
book = openpyxl.load_workbook(INPUT_PATH)
sheet = book.worksheets[0]
rows = range(2, sheet.max_row + 1)
"""
PROGRAMS = {
    "product of columns": """
for row in rows:
    sheet.cell(row, 3, sheet.cell(row, 1).value * sheet.cell(row, 2).value)
""",
    "capital letters": """
for row in rows:
    sheet.cell(row, 2, sheet.cell(row, 1).value.upper())
""",
    "negative of each": """
for sheet in book:
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 2, -sheet.cell(row, 1).value)
""",
    "running total": """
total = 0
for row in rows:
    total += sheet.cell(row, 2).value
    sheet.cell(row, 4, total)
sheet["F2"] = total
""",
    "a week later": """
for row in rows:
    sheet.cell(row, 3, sheet.cell(row, 1).value + timedelta(7))
    sheet.cell(row, 4, time(sheet.cell(row, 2).value, 30))
""",
    "over 50": """
for row in rows:
    over = sheet.cell(row, 1).value > 50
    sheet.cell(row, 2, over)
    sheet.cell(row, 3, "good" if over else None)
""",
    "sum of the counts": """
sheet["D2"] = SUM
""",
    "sheet Summary": """
counts = Counter(sheet.cell(row, 1).value for row in rows)
summary = book.create_sheet("Summary")
for line in [("Name", "Orders"), *sorted(counts.items())]:
    summary.append(line)
""",
}
VALUE = "sum(sheet.cell(row, 2).value for row in range(2, 8))"


def program(asked: str, *, saves: bool, formula: bool) -> str:
    """Return a program that does what is asked, which may forget to save, and may leave a formula."""
    (body,) = [body for words, body in PROGRAMS.items() if words in asked]
    body = body.replace("SUM", "'=SUM(B2:B7)'" if formula else VALUE, 1)
    return f"```python\n{LOAD}{body}{'book.save(OUTPUT_PATH)' if saves else '# done'}\n```"


def teacher(request: Any) -> FakeReply:
    edit = {"op": "append", "target": "", "content": f"- {RULE}"}
    if "sources" in json.dumps(request.body.get("response_format", {})):
        return FakeReply(text=json.dumps({"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]}))
    failure = {"failure_type": "never saved", "count": 1, "description": "output-not-found"}
    return FakeReply(text=json.dumps({"failure_summary": [failure], "patch": {"reasoning": "save", "edits": [edit]}}))


def reply(request: Any) -> FakeReply:
    if request.model == "teacher":
        return teacher(request)
    asked = json.dumps(request.body["messages"])
    return FakeReply(text=program(asked, saves=RULE in request.system, formula=which("soffice") is not None))


def configured(url: str, folder: Path, plugins: Plugins) -> Resolved:
    write_sample(folder / "raw", 16, 7)
    common = {"backend": "openai_chat", "base_url": f"{url}/v1", "max_retries": 0}
    return resolve(
        {
            "model": {"teacher": {**common, "model": "teacher"}, "student": {**common, "model": "student"}},
            "train": {"num_epochs": 1, "batch_size": 5},
            "gradient": {"minibatch_size": 3},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {
                "name": "spreadsheetbench",
                "data_path": str(folder / "raw"),
                "split_ratio": "1:1:1",
                "split_seed": 5,
                "mode": "multi",
                "max_turns": 2,
                "workers": 2,
                "recalc_cache": str(folder / "cache"),
                "recalc": "auto" if which("soffice") else "off",
            },
        },
        plugins=plugins,
    )


def test_an_epoch_learns_to_save_and_can_be_graded_again(tmp_path: Path) -> None:
    plugins = Plugins()
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    with FakeModelServer(reply) as server:
        resolved = configured(server.url, tmp_path, plugins)
        values = train(resolved, plugins, tmp_path / "out", observers=silent).values
        told = [one.text for one in server.requests if one.model == "teacher"]
    assert (values["baseline_test_hard"], values["test_hard"]) == (0.0, 1.0)
    assert RULE in (tmp_path / "out" / "best_skill.md").read_text()
    assert any("output-not-found" in text for text in told)
    rows = [json.loads(line) for file in (tmp_path / "out").rglob("results.jsonl") for line in file.open()]
    ways = {case.get("pass_via") for row in rows for case in row["extra"]["cases"]}
    assert {"cached", *(["recalc"] if which("soffice") else [])} <= ways
    again = rescore(tmp_path / "out", plugins, dry_run=True)
    assert (again["n_changed"], again["n_rollouts"]) == (0, len(rows))


def test_two_prompts_are_compared_by_an_option_of_eval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sample(tmp_path / "raw", 3, 7)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")
    seen: list[tuple[str, str]] = []

    def answer(request: Any) -> FakeReply:
        seen.append((request.system, request.text))
        return FakeReply(text=program(request.text, saves=True, formula=False))

    with FakeModelServer(answer) as server:
        for prompt in ("custom", "official"):
            words = [f"env.data_path={tmp_path / 'raw'}", "env.name=spreadsheetbench", "env.split_ratio=1:1:1"]
            words += [f"model.{role}.base_url={server.url}/v1" for role in ("student", "teacher")]
            words += ["env.mode=single", "--no-skill", "--no-preflight", "--prompt", prompt]
            words += ["--out", str(tmp_path / prompt)]
            assert main(["eval", *words]) == 0
            assert json.loads((tmp_path / prompt / "eval_summary.json").read_text())["hard"] == 1.0
    asked = [one for one in seen if "answer_position" in one[1] or "Answer position" in one[1]]
    assert [("### answer_position" in text, bool(system)) for system, text in asked] == [(False, True), (True, False)]


def test_an_unknown_prompt_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["env.name=spreadsheetbench", "--no-skill", "--prompt", "offical"]
    assert main(["eval", *words]) == 2
    assert "env.prompt" in capsys.readouterr().err

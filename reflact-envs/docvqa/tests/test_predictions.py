"""The official test split, whose answers are withheld: it is handed in, and enters no score and no training."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Plugins, Split
from reflact.config import Resolved, load
from reflact.engine.evaluate import evaluate
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from reflact.kit.check import check_env
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.testing.pictures import marks_of
from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.env import DocVQA
from reflact_env_docvqa.sample import write_sample

CONFIG = Path(__file__).parents[3] / "configs" / "docvqa" / "default.yaml"
Records = list[dict[str, Any]]


@pytest.fixture
def records(tmp_path: Path) -> Records:
    write_sample(tmp_path / "data", 24, 5)
    found: Records = json.loads((tmp_path / "data" / "items.json").read_text(encoding="utf-8"))["data"]
    return found


def without_answers(records: Records) -> Records:
    return [{name: value for name, value in one.items() if name != "answers"} for one in records]


def prepared(folder: Path, **splits: Records) -> str:
    for split, records in splits.items():
        (folder / "split" / split).mkdir(parents=True, exist_ok=True)
        wrapped = {"dataset_name": "docvqa", "dataset_split": split, "data": records}
        (folder / "split" / split / "v1.0.json").write_text(json.dumps(wrapped), encoding="utf-8")
    return f"env.split_dir={folder / 'split'}"


def official(folder: Path, records: Records) -> str:
    """Return the override for a split as the competition has it: answers for train and val, and none for test."""
    return prepared(folder, train=records[:8], val=records[8:16], test=without_answers(records[16:]))


@contextmanager
def reader(records: Records, say: Callable[[dict[str, Any]], FakeReply | None] = lambda record: None) -> Iterator[Any]:
    """Serve a student that reads the page it is shown, unless *say* has another reply, and a teacher without ideas."""
    known = {one["question"]: one for one in records}

    def script(request: FakeRequest) -> FakeReply:
        if request.model == "teacher":
            return FakeReply(text=json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": []}}))
        record = known[request.text.partition("\n")[0]]
        right = marks_of(request) == (record["docId"] - 70_000,)
        return say(record) or FakeReply(text=f"<answer>{record['answers'][0]}</answer>" if right else "no such page")

    with FakeModelServer(script) as serving:
        yield serving


def configured(server: FakeModelServer, folder: Path, *overrides: str) -> Resolved:
    roles = [
        f"model.{name}={{backend: openai_chat, base_url: '{server.url}/v1', api_key: k, model: {name}, max_retries: 0}}"
        for name in ("teacher", "student")
    ]
    small = ("env.image_max_side=1000", "env.workers=2", "train.num_epochs=1", "optimizer.use_slow_update=false")
    given = [*roles, *small, f"env.data_root={folder / 'data'}", "optimizer.use_meta_skill=false", *overrides]
    return load(CONFIG, overrides=given, plugins=Plugins())


def handed_in(
    resolved: Resolved, folder: Path, split: Any = "test", out: str = "eval"
) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    """Return the summary of an evaluation, and what its file of predictions holds."""
    file = folder / "submission.json"
    values = evaluate(resolved, Plugins(), folder / out, skill=None, split=split, predictions=file)
    written: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return values, written


def test_the_test_split_becomes_the_file_the_competition_takes(tmp_path: Path, records: Records) -> None:
    with reader(records) as server:
        _, written = handed_in(configured(server, tmp_path, official(tmp_path, records)), tmp_path)
        asked = len(server.requests)
    assert written == [{"questionId": one["questionId"], "answer": one["answers"][0]} for one in records[16:]]
    assert all(type(one["questionId"]) is int for one in written)
    assert asked == len(written) == 8


def test_nothing_of_it_is_scored_and_no_score_is_made_up(tmp_path: Path, records: Records) -> None:
    with reader(records) as server:
        values, _ = handed_in(configured(server, tmp_path, official(tmp_path, records)), tmp_path)
    assert (values["n_items"], values["n_ungraded"], values["n_errors"]) == (0, 8, 0)
    assert [values[name] for name in ("hard", "soft", "right", "interval_95")] == [None] * 4
    assert (values["by_kind"], values["by_group"]) == ({}, {})
    rows = [json.loads(line) for line in (tmp_path / "eval/eval/test/results.jsonl").read_text("utf-8").splitlines()]
    assert {(row["outcome"], row["feedback"], *row["expected"]) for row in rows} == {("ungraded", "")}


def test_of_a_split_that_has_some_answers_only_those_are_scored(tmp_path: Path, records: Records) -> None:
    mixed = [*records[16:20], *without_answers(records[20:])]
    split = prepared(tmp_path, train=records[:8], val=records[8:16], test=mixed)
    wrong = {one["questionId"] for one in (*records[16:17], *records[20:])}
    with reader(records, lambda record: FakeReply(text="?") if record["questionId"] in wrong else None) as server:
        values, written = handed_in(configured(server, tmp_path, split), tmp_path)
    assert (values["n_items"], values["n_ungraded"], values["hard"], values["right"]) == (4, 4, 0.75, 3)
    assert values["by_kind"]["overall"]["total"] == 4
    assert [one["questionId"] for one in written] == [one["questionId"] for one in mixed]


def test_a_whole_file_of_questions_is_handed_in_as_one(tmp_path: Path, records: Records) -> None:
    (tmp_path / "test_v1.0.json").write_text(json.dumps({"data": without_answers(records)}), encoding="utf-8")
    with reader(records) as server:
        resolved = configured(server, tmp_path, f"env.data_path={tmp_path / 'test_v1.0.json'}")
        _, written = handed_in(resolved, tmp_path, split="all")
    assert {one["questionId"]: one["answer"] for one in written} == {
        one["questionId"]: one["answers"][0] for one in records
    }


def test_a_question_that_could_not_be_asked_is_handed_in_empty_and_told(tmp_path: Path, records: Records) -> None:
    down = FakeReply(status=500, message="down")
    with reader(records, lambda record: down if record == records[16] else None) as server:
        once = ("evaluation.max_infra_retries=0", "evaluation.max_error_rate=0.2")
        resolved = configured(server, tmp_path, official(tmp_path, records), *once)
        values, written = handed_in(resolved, tmp_path)
    assert (written[0]["answer"], values["n_errors"], values["n_ungraded"]) == ("", 1, 7)
    assert values["predictions"] == {"file": str(tmp_path / "submission.json"), "n": 8, "empty": 1}


def test_a_scored_evaluation_of_it_is_refused_before_anything_is_asked(tmp_path: Path, records: Records) -> None:
    with reader(records) as server:
        resolved = configured(server, tmp_path, official(tmp_path, records))
        with pytest.raises(DataError, match=r"test: 8 of 8 tasks \(900016, .*\) cannot be scored.*--predictions FILE"):
            evaluate(resolved, Plugins(), tmp_path / "eval", skill=None)
        assert not server.requests


@pytest.mark.parametrize("split", ["train", "val"])
def test_it_cannot_be_trained_on_nor_selected_by(tmp_path: Path, records: Records, split: Split) -> None:
    parts = {"train": records[:8], "val": records[8:16], "test": records[16:]}
    parts[split] = [*parts[split][:-1], *without_answers(parts[split][-1:])]
    with reader(records) as server:
        resolved = configured(server, tmp_path, prepared(tmp_path, **parts))
        with pytest.raises(DataError, match=rf"{split}: 1 of 8 tasks \(9000\d+\) cannot be scored.*take them out"):
            train(resolved, Plugins(), tmp_path / "run", observers=silent())
        assert not server.requests


def test_a_run_whose_test_split_it_is_must_not_measure_it(tmp_path: Path, records: Records) -> None:
    split = official(tmp_path, records)
    with reader(records) as server:
        with pytest.raises(DataError, match=r"test: 8 of 8 tasks .* set evaluation\.eval_test=false"):
            train(configured(server, tmp_path, split), Plugins(), tmp_path / "run", observers=silent())
        assert not server.requests
        resolved = configured(server, tmp_path, split, "evaluation.eval_test=false")
        summary = train(resolved, Plugins(), tmp_path / "run", observers=silent())
        _, written = handed_in(resolved, tmp_path)
    assert summary.values["best_selection_hard"] == 1.0
    assert len(written) == 8


def test_answers_that_come_out_later_score_what_was_said(tmp_path: Path, records: Records) -> None:
    split = official(tmp_path, records)
    wrong = records[16]["questionId"]
    with reader(records, lambda record: FakeReply(text="?") if record["questionId"] == wrong else None) as server:
        handed_in(configured(server, tmp_path, split), tmp_path)
    before = rescore(tmp_path / "eval", Plugins())
    prepared(tmp_path, test=records[16:])
    after = rescore(tmp_path / "eval", Plugins())
    assert before["folders"][0]["hard"] == [None, None]
    assert after["folders"][0]["hard"] == [None, 0.875]
    assert after["n_changed"] == 8


def test_the_check_of_the_env_passes_over_what_cannot_be_scored(tmp_path: Path, records: Records) -> None:
    official(tmp_path, records)
    env = DocVQA(DocVQAConfig(split_dir=str(tmp_path / "split"), data_root=str(tmp_path / "data")))
    spec = Plugins().get("envs", "docvqa")
    assert [one for one in check_env(env, spec, workdir=tmp_path / "work") if one.level == "error"] == []


def silent() -> Any:
    plugins = Plugins()
    return plugins.observers(disabled=frozenset(plugins.names("observers")))

"""The official evaluation as a program: what it is given, what it leaves behind, and how it can break down."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from reflact import Task
from reflact_env_swebench.item import Gold
from reflact_env_swebench.judge.harness import Harness
from reflact_env_swebench.judge.verdict import Verdict

TASK = Task(id="demo__calc-1", kind="demo/calc", data={})
RECORD = {"instance_id": "demo__calc-1", "repo": "demo/calc", "image": "i", "id": "demo__calc-1"}
GOLD = Gold(patch="gold", test_patch="tests", target=("t::a", "t::b"), kept=("t::c",), record=RECORD)
STUB = """
import argparse, json, os, sys, time
from pathlib import Path
parser = argparse.ArgumentParser()
for names in (("-d", "--dataset_name"), ("-s", "--split"), ("-p", "--predictions_path"), ("-id", "--run_id")):
    parser.add_argument(*names, required=True)
parser.add_argument("-i", "--instance_ids", nargs="+")
parser.add_argument("--max_workers", type=int)
parser.add_argument("-t", "--timeout", type=int)
parser.add_argument("--report_dir", default=".")
given = parser.parse_args()
(one,) = json.loads(Path(given.dataset_name).read_text())
prediction = json.loads(Path(given.predictions_path).read_text())[one["instance_id"]]
Path(os.environ.get("HOME", "/tmp"))
def write(summary, report=None, log="", output="the output"):
    logs = Path("logs/run_evaluation", given.run_id, prediction["model_name_or_path"], one["instance_id"])
    logs.mkdir(parents=True)
    (logs / "test_output.txt").write_text(output)
    (logs / "run_instance.log").write_text(log)
    if report is not None:
        (logs / "report.json").write_text(json.dumps({one["instance_id"]: report}))
    name = prediction["model_name_or_path"] + "." + given.run_id + ".json"
    told = {"schema_version": 2, "resolved_ids": [], "unresolved_ids": [], "infra_failure_ids": [],
            "ambiguous_failure_ids": [], "error_ids": [], "empty_patch_ids": [], "failure_reasons": {}}
    Path(given.report_dir, name).write_text(json.dumps({**told, **summary}))
def status(good_target, bad_target, good_kept, bad_kept):
    return {"FAIL_TO_PASS": {"success": good_target, "failure": bad_target},
            "PASS_TO_PASS": {"success": good_kept, "failure": bad_kept}}
ids = [one["instance_id"]]
"""
RESOLVED = 'write({"resolved_ids": ids}, {"resolved": True, "patch_successfully_applied": True})'
FAILED = (
    'write({"unresolved_ids": ids}, {"resolved": False, "patch_successfully_applied": True, '
    '"tests_status": status(["t::a"], ["t::b"], [], ["t::c"])})'
)
INFRA = (
    'write({"unresolved_ids": ids, "infra_failure_ids": ids, "failure_reasons": {ids[0]: "out_of_memory"}}, '
    '{"resolved": False, "patch_successfully_applied": True, '
    '"tests_status": status([], ["t::a", "t::b"], [], ["t::c"])})'
)
NOT_APPLIED = 'write({"error_ids": ids}, log=">>>>> Patch Apply Failed:\\nhunk 1")'
TESTS_HANG = 'write({"error_ids": ids, "ambiguous_failure_ids": ids, "failure_reasons": {ids[0]: "tests_timed_out"}})'
NO_REPORT = 'write({"error_ids": ids}, log="the image is gone")'
EXITS = 'print("\\n".join(f"line {n}" for n in range(60))); sys.exit("no engine")'
HANGS = "time.sleep(60)"


class Stub:
    """A stand-in for the evaluation's program that does one thing."""

    def __init__(self, folder: Path, what: str, **settings: Any) -> None:
        program = folder / "run_evaluation.py"
        program.write_text(STUB + what)
        self.workdir = folder / "task"
        self.workdir.mkdir()
        settings = {"seconds": 30, "attempts": 1, **settings}
        self.harness = Harness(command=(sys.executable, str(program)), **settings)

    def __call__(self) -> Verdict:
        return self.harness(TASK, GOLD, "the patch", self.workdir)

    @property
    def runs(self) -> list[Path]:
        return sorted((self.workdir / "evaluation").iterdir())


def test_a_resolved_issue_is_read(tmp_path: Path) -> None:
    stub = Stub(tmp_path, RESOLVED)
    verdict = stub()
    assert (verdict.resolved, verdict.target.passed, verdict.output) == (True, ("t::a", "t::b"), "the output")


def test_it_is_given_the_item_and_the_patch_in_a_private_folder(tmp_path: Path) -> None:
    stub = Stub(tmp_path, RESOLVED)
    stub()
    (folder,) = stub.runs
    assert json.loads((folder / "dataset.json").read_text()) == [{k: v for k, v in RECORD.items() if k != "id"}]
    assert json.loads((folder / "preds.json").read_text())[TASK.id]["model_patch"] == "the patch"
    assert (folder / "logs").is_dir() and not Path("logs/run_evaluation").exists()


def test_failing_tests_are_told_by_kind(tmp_path: Path) -> None:
    verdict = Stub(tmp_path, FAILED)()
    assert (verdict.resolved, verdict.fault) == (False, "")
    assert verdict.reason() == "1 of 2 target tests fail, 1 regressions"


def test_a_patch_that_does_not_apply_is_the_students(tmp_path: Path) -> None:
    verdict = Stub(tmp_path, NOT_APPLIED)()
    assert (verdict.applied, verdict.fault) == (False, "")


def test_tests_that_do_not_end_are_the_students(tmp_path: Path) -> None:
    verdict = Stub(tmp_path, TESTS_HANG)()
    assert (verdict.resolved, verdict.fault) == (False, "")
    assert verdict.reason().startswith("the tests did not end in time, 2 of 2 target tests fail")


def test_a_broken_environment_is_nobodys_failure(tmp_path: Path) -> None:
    verdict = Stub(tmp_path, INFRA)()
    assert verdict.fault == "the evaluation's environment broke: out_of_memory"


def test_an_error_without_a_report_is_nobodys_failure(tmp_path: Path) -> None:
    assert "the image is gone" in Stub(tmp_path, NO_REPORT)().fault


def test_bug_8_an_evaluation_that_ends_with_an_error_says_nothing_of_the_patch(tmp_path: Path) -> None:
    verdict = Stub(tmp_path, EXITS)()
    assert verdict.fault.startswith("the evaluation ended with exit code 1; there is no readable reflact.reflact_")
    assert verdict.fault.endswith("no engine")
    assert "line 59" in verdict.fault and "line 20" not in verdict.fault


def test_bug_9_two_evaluations_of_one_patch_never_share_an_id(tmp_path: Path) -> None:
    stub = Stub(tmp_path, RESOLVED)
    assert stub().resolved and stub().resolved
    assert len({folder.name for folder in stub.runs}) == 2


def test_bug_10_an_evaluation_that_hangs_is_ended_and_leaves_the_patch(tmp_path: Path) -> None:
    stub = Stub(tmp_path, HANGS, seconds=1, grace_s=0.2)
    began = time.monotonic()
    assert stub().fault.startswith("the evaluation was not done within 1.2 s")
    assert time.monotonic() - began < 20
    assert "the patch" in (stub.runs[0] / "preds.json").read_text()


def test_a_breakdown_is_tried_again(tmp_path: Path) -> None:
    once = f"if Path('../../seen').exists():\n    {RESOLVED}\nelse:\n    Path('../../seen').touch(); sys.exit(3)"
    stub = Stub(tmp_path, once, attempts=2)
    assert stub().resolved
    assert len(stub.runs) == 2


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    harness = Harness(command=("/nowhere/evaluate",), seconds=1, attempts=1)
    assert "/nowhere/evaluate cannot be run" in harness(TASK, GOLD, "p", tmp_path).fault


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_broken_summary_is_nobodys_failure(tmp_path: Path, content: str) -> None:
    what = f"Path(given.report_dir, 'reflact.' + given.run_id + '.json').write_text({content!r})"
    assert ".json" in Stub(tmp_path, what)().fault

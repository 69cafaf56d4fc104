"""The evaluation without Docker: real repositories, real patches, real tests in the sandbox."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from reflact import Task
from reflact_env_swebench import SWEBenchConfig, write_sample
from reflact_env_swebench.data import load
from reflact_env_swebench.equipment import equipment
from reflact_env_swebench.item import Gold, gold_of
from reflact_env_swebench.judge.local import changed
from reflact_env_swebench.judge.logs import pytest_log, unittest_log
from reflact_env_swebench.judge.verdict import Verdict

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
NOTES = "diff --git a/notes.txt b/notes.txt\nnew file mode 100644\n--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1 @@\n+x\n"
Judge = Callable[[str], Verdict]


class Court:
    """One made-up issue, and a judge of patches for it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        write_sample(folder / "sample", 18, 7)
        config = SWEBenchConfig.model_validate(
            {"data_path": str(folder / "sample"), "split_ratio": "1:1:1", "eval_timeout": 60, **settings}
        )
        items = [one for found in load(config).values() for one in found]
        self.items: dict[str, tuple[Task, Gold]] = {one.task.id: (one.task, gold_of(one.raw)) for one in items}
        self.task, self.gold = self.items["demo__ledger-0"]
        self.judge = equipment(config, list(self.items.values())).judge
        self.workdir = folder / "work"
        self.workdir.mkdir()

    def __call__(self, patch: str) -> Verdict:
        return self.judge(self.task, self.gold, patch, self.workdir)

    def one_of_each_kind(self) -> list[tuple[Task, Gold]]:
        """Return the issues of one repository, which has one of each kind."""
        return [one for task_id, one in self.items.items() if task_id.startswith("demo__ledger")]

    @property
    def module(self) -> str:
        return changed(self.gold.patch)[0]

    def rewritten(self, old: str, new: str) -> str:
        """Return the right patch with its new line changed."""
        assert old in self.gold.patch
        return self.gold.patch.replace(old, new)


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return Court(tmp_path)


def test_the_right_patch_of_every_kind_of_defect_resolves_its_issue(court: Court) -> None:
    for task, gold in court.one_of_each_kind():
        verdict = court.judge(task, gold, gold.patch, court.workdir)
        assert verdict.resolved, (task.id, verdict)
    assert "OK" in (court.workdir / "test_output.txt").read_text()


def test_no_kind_of_defect_is_resolved_by_a_patch_that_changes_nothing_that_matters(court: Court) -> None:
    for task, gold in court.one_of_each_kind():
        verdict = court.judge(task, gold, NOTES, court.workdir)
        assert (verdict.resolved, verdict.kept.failed) == (False, ()), (task.id, verdict)


def test_a_verdict_names_the_tests_that_fail(court: Court) -> None:
    verdict = court(NOTES)
    assert not verdict.resolved
    assert verdict.reason() == "1 of 1 target tests fail"
    assert court.gold.target[0] in verdict.told() and verdict.kept.passed == court.gold.kept


def test_a_patch_that_breaks_what_worked_does_not_resolve_it(court: Court) -> None:
    verdict = court(court.rewritten("for one in scores if one >= ", "for one in scores if one >= -1 or one > "))
    assert (verdict.resolved, verdict.reason()) == (False, "1 regressions")


def test_a_patch_that_does_not_apply_is_told_from_one_that_fails(court: Court) -> None:
    verdict = court(court.rewritten("-    return", "-    never there"))
    assert (verdict.applied, verdict.resolved, verdict.reason()) == (False, False, "patch did not apply")


def test_a_patch_whose_lines_moved_a_little_still_applies(court: Court) -> None:
    moved = court.gold.patch.replace(" def ", " async def ", 1).replace("@@ -1,", "@@ -2,", 1)
    assert court.gold.patch != moved and court(moved).resolved


def test_a_patch_cannot_change_the_tests_it_is_judged_by(court: Court) -> None:
    tests = changed(court.gold.test_patch)[0]
    name = court.module.removesuffix(".py")
    empty = (
        f"diff --git a/{tests} b/{tests}\nindex 1..2 100644\n--- a/{tests}\n+++ b/{tests}\n"
        f"@@ -1,3 +1,3 @@\n-import unittest\n+import unittest as unittest_\n \n from {name} import {name}\n"
    )
    verdict = court(empty)
    assert verdict.applied and verdict.kept.passed == court.gold.kept and not verdict.resolved
    assert court(court.gold.patch + empty).resolved


def test_tests_that_a_patch_makes_hang_count_against_it(tmp_path: Path) -> None:
    court = Court(tmp_path, eval_timeout=2)
    old = next(line for line in court.gold.patch.splitlines() if line.startswith("+    return"))
    verdict = court(court.gold.patch.replace(old, "+    while scores is not None: pass"))
    assert (verdict.resolved, verdict.fault) == (False, "")
    assert verdict.trouble.startswith("the tests ended early: ")


def test_a_test_patch_that_does_not_apply_is_nobodys_failure_but_the_datas(court: Court) -> None:
    broken = replace(court.gold, test_patch=court.gold.test_patch.replace(" class Checks", " class Other"))
    verdict = court.judge(court.task, broken, court.gold.patch, court.workdir)
    assert verdict.fault.startswith(f"{court.task.id}: its test_patch does not apply")


def test_a_verdict_on_an_interpreter_of_its_own(tmp_path: Path) -> None:
    court = Court(tmp_path, python=sys.executable)
    assert court(court.gold.patch).resolved


def test_a_pytest_log_is_read() -> None:
    log = (
        "== short test summary info ==\nPASSED t.py::test_a\nPASSED t.py::test_b[x y]\nFAILED t.py::test_c - assert 0\n"
        "XFAIL t.py::test_d - later\nERROR t.py::test_e\nSKIPPED [1] t.py:3: no\n"
    )
    assert pytest_log(log) == {"t.py::test_a", "t.py::test_b[x y]", "t.py::test_d"}


def test_a_unittest_log_is_read_under_either_name() -> None:
    log = (
        "test_a (m.C.test_a) ... ok\ntest_b (m.C)\nSays more. ... ok\ntest_c (m.C.test_c) ... FAIL\n"
        "test_d (m.C.test_d) ... skipped 'no'\n"
    )
    found = unittest_log(log)
    assert {"m.C.test_a", "test_a (m.C)", "m.C.test_b", "test_b (m.C)"} <= found
    assert not [name for name in found if "test_c" in name or "test_d" in name]


def test_a_long_test_output_is_read_to_its_end_and_from_its_beginning(court: Court) -> None:
    noisy = court.gold.test_patch.replace(
        "+    def test_the_issue(self):", "+    def test_the_issue(self):\n+        print('x' * 3_000_000)"
    )
    hunk = next(line for line in noisy.splitlines() if line.startswith("@@"))
    start, count = hunk.split("+")[1].split(" ")[0].split(",")
    longer = noisy.replace(hunk, hunk.replace(f"+{start},{count}", f"+{start},{int(count) + 1}"))
    verdict = court.judge(court.task, replace(court.gold, test_patch=longer), court.gold.patch, court.workdir)
    assert verdict.resolved and len(verdict.output) > 3_000_000

"""From kinds of defects to git repositories and records in the benchmark's own form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Any

from reflact_env_swebench.repository import git
from reflact_env_swebench.sample.bugs import BUGS, Bug

REPOS = ("demo/ledger", "demo/kitchen", "demo/weather")
FIRST = ("amber", "brisk", "coral", "dusty", "early", "faint", "grand", "hazel", "ivory", "jolly")
SECOND = ("basket", "canyon", "drawer", "engine", "feather", "garden", "harbour", "island")
WHEN = 1_704_067_200
"""Seconds since 1970 of every commit, so that commits have the same names on every machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A made-up issue: its record without the commit, and the files that the commit holds."""

    record: dict[str, Any]
    files: dict[str, str]


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* made-up issues to `items.json` in the folder *out*, and the git repositories they are in."""
    random = Random(seed)
    out.mkdir(parents=True, exist_ok=True)
    issues = []
    for number in range(n):
        bug = BUGS[number // len(REPOS) % len(BUGS)]
        name = f"{random.choice(FIRST)}_{random.choice(SECOND)}_{number}"
        issues.append(_issue(bug, REPOS[number % len(REPOS)], name, random.randrange(3, 40)))
    commits: dict[str, str] = {}
    for repo in REPOS:
        commits |= _repository(out / _place(repo), [one for one in issues if one.record["repo"] == repo])
    items = [one.record | {"base_commit": commits[one.record["instance_id"]]} for one in issues]
    (out / "items.json").write_text(json.dumps(items, indent=1) + "\n", encoding="utf-8")


def _issue(bug: Bug, repo: str, name: str, limit: int) -> Issue:
    module, tests = f"{name}.py", f"test_{name}.py"
    source = bug.filled(bug.source, name, limit)
    mended = source.replace(bug.filled(bug.wrong, name, limit), bug.filled(bug.right, name, limit))
    holds = _tests(name, bug.filled(bug.holds, name, limit))
    shows = holds + _test("test_the_issue", bug.filled(bug.shows, name, limit))
    record = {
        "instance_id": f"{repo.replace('/', '__')}-{name.rpartition('_')[2]}",
        "repo": repo,
        "version": "1.0",
        "problem_statement": f"{bug.filled(bug.issue, name, limit)}\n\nThe function is in `{module}`.",
        "hints_text": "",
        "patch": _diff(module, source, mended),
        "test_patch": _diff(tests, holds, shows),
        "FAIL_TO_PASS": json.dumps([f"test_{name}.Checks.test_the_issue"]),
        "PASS_TO_PASS": json.dumps([f"test_{name}.Checks.test_it_holds"]),
        "repo_path": _place(repo),
        "test_command": "python -m unittest -v",
        "log_parser": "unittest",
    }
    return Issue(record=record, files={module: source, tests: holds, "README.md": f"# {name}\n"})


def _place(repo: str) -> str:
    return f"repos/{repo.replace('/', '__')}.git"


def _repository(folder: Path, issues: Sequence[Issue]) -> dict[str, str]:
    """Make *folder* a bare repository with a branch of one commit for each of *issues*; return the commits by id."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--bare")
    git(folder, "fast-import", "--quiet", "--force", stdin="".join(map(_commit, issues)))
    told = git(folder, "for-each-ref", "--format=%(refname:lstrip=2) %(objectname)").split()
    return dict(zip(told[::2], told[1::2], strict=True))


def _commit(issue: Issue) -> str:
    head = f"commit refs/heads/{issue.record['instance_id']}\ncommitter Sample <sample@example.org> {WHEN} +0000\n"
    files = (f"M 100644 inline {name}\n{_data(text)}" for name, text in issue.files.items())
    return f"{head}{_data('The project as it is')}{''.join(files)}\n"


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def _tests(name: str, holds: str) -> str:
    head = f"import unittest\n\nfrom {name} import {name}\n\n\nclass Checks(unittest.TestCase):"
    return head + _test("test_it_holds", holds)


def _test(name: str, body: str) -> str:
    return f"\n    def {name}(self):\n        {body}\n"


def _diff(name: str, old: str, new: str) -> str:
    lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{name}", f"b/{name}")
    return f"diff --git a/{name} b/{name}\n{''.join(lines)}"

"""The deal by repository."""

from collections import Counter

import pytest
from reflact_env_swebench.split import sizes, stratified

LITE = {
    "django/django": 114,
    "sympy/sympy": 77,
    "matplotlib/matplotlib": 23,
    "scikit-learn/scikit-learn": 23,
    "pytest-dev/pytest": 17,
    "sphinx-doc/sphinx": 16,
    "astropy/astropy": 6,
    "psf/requests": 6,
    "pylint-dev/pylint": 6,
    "pydata/xarray": 5,
    "mwaskom/seaborn": 4,
    "pallets/flask": 3,
}
ISSUES = [(repo, number) for repo, count in LITE.items() for number in range(count)]
SHARES = (2, 1, 7)


def dealt(seed: int = 42) -> dict[str, tuple[tuple[str, int], ...]]:
    return dict(stratified(ISSUES, repo=lambda one: one[0], shares=SHARES, seed=seed))  # type: ignore[arg-type]


def test_lite_is_dealt_60_33_207() -> None:
    assert {split: len(found) for split, found in dealt().items()} == {"train": 60, "val": 33, "test": 207}


def test_every_issue_is_dealt_once() -> None:
    assert sorted(one for found in dealt().values() for one in found) == sorted(ISSUES)


def test_every_split_has_every_repository_of_three_issues_and_more() -> None:
    assert all({repo for repo, _ in found} == set(LITE) for found in dealt().values())


def test_the_deal_depends_on_the_seed_alone() -> None:
    assert dealt() == dealt() != dealt(seed=43)


def test_a_split_is_not_sorted_by_repository() -> None:
    repos = [repo for repo, _ in dealt()["test"]]
    assert repos != sorted(repos) and Counter(repos)["django/django"] == 114 - sum(sizes(114, SHARES))


@pytest.mark.parametrize(
    ("total", "due"),
    [(1, (0, 0)), (2, (1, 0)), (3, (1, 1)), (5, (1, 1)), (15, (3, 2)), (25, (5, 2)), (114, (23, 11))],
)
def test_small_repositories_still_reach_every_split(total: int, due: tuple[int, int]) -> None:
    assert sizes(total, SHARES) == due


def test_test_never_stays_empty() -> None:
    assert sizes(3, (8, 1, 1)) == (1, 1)
    assert sizes(4, (1, 8, 1)) == (1, 2)

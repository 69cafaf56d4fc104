"""The tutorial is true: its files are written, its commands run, and they say what the page says."""

from pathlib import Path

from documents import Desk
from workspace import ROOT


def test_whoever_follows_the_tutorial_sees_what_it_shows(tmp_path: Path) -> None:
    Desk(tmp_path).follow(ROOT / "docs" / "tutorial" / "your-first-benchmark.md")

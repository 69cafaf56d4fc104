"""What the documents show is true: files load, commands run and say what is printed, links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from documents import Desk, blocks, pages
from workspace import ROOT

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.M)
TARGET = re.compile(r"`make ([a-z-]+)[^`]*`")
TUTORIAL = ROOT / "docs" / "tutorial" / "your-first-benchmark.md"


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [one for one in pages() if one != TUTORIAL and list(blocks(one))], ids=page_id)
def test_whoever_follows_a_page_sees_what_it_shows(page: Path, tmp_path: Path, endpoint: Mapping[str, str]) -> None:
    Desk(tmp_path, endpoint).follow(page)


@pytest.mark.parametrize("page", [*pages(), ROOT / "CHANGELOG.md", ROOT / "changelog.d" / "README.md"], ids=page_id)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link}: there is no {target}"
        if anchor:
            headings = HEADING.findall(target.read_text(encoding="utf-8"))
            assert anchor in {slug(heading) for heading in headings}, f"{link}: no such heading"


@pytest.mark.parametrize("page", pages(), ids=page_id)
def test_every_make_target_it_names_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    assert set(TARGET.findall(page.read_text(encoding="utf-8"))) <= targets


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page != index} <= linked


def slug(heading: str) -> str:
    """Return the anchor of *heading*, as renderers of markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")

"""Protected regions: where they lie, how they are read and written."""

from __future__ import annotations

import pytest
from reflact.skill import regions

REGION = "<!-- SLOW_UPDATE_START -->\nkeep\n<!-- SLOW_UPDATE_END -->"


def names(text: str) -> list[str]:
    return [span.name for span in regions.spans(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no region", []),
        (REGION, ["SLOW_UPDATE"]),
        ("<!--SLOW_UPDATE_START-->x<!--  SLOW_UPDATE_END  -->", ["SLOW_UPDATE"]),
        (f"{REGION}\n{REGION}", ["SLOW_UPDATE", "SLOW_UPDATE"]),
        (f"a\n{REGION}\nb\n<!-- APPENDIX_START --><!-- APPENDIX_END -->", ["SLOW_UPDATE", "APPENDIX"]),
        ("<!-- SLOW_UPDATE_START --> and no end", ["MARKER"]),
        ("<!-- SLOW_UPDATE_END --> before <!-- SLOW_UPDATE_START -->", ["MARKER", "MARKER"]),
        ("<!-- SLOW_UPDATE_START --><!-- APPENDIX_END -->", ["MARKER", "MARKER"]),
        ("---\nname: x\n---\nbody", ["FRONT_MATTER"]),
        ("---\nname: x\n---", ["FRONT_MATTER"]),
        ("---\n---\nbody\n\n---\nmore", ["FRONT_MATTER"]),
        ("\ufeff---\r\nname: x\r\n---\r\nbody", ["FRONT_MATTER"]),
        ("title\n\n---\nname: x\n---\n", []),
        ("---\nname: x\n----\nbody", []),
        (f"---\na\n{REGION}\n---\n", ["SLOW_UPDATE"]),
    ],
)
def test_regions_front_matter_and_stray_markers_are_found(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_front_matter_ends_with_its_own_closing_line() -> None:
    assert regions.protected("---\n---\nbody\n---\n") == ("---\n---",)


def test_a_region_is_read_without_its_markers() -> None:
    assert regions.read(f"a\n{REGION}\nb", "SLOW_UPDATE") == "keep"


def test_a_text_without_the_region_reads_as_none() -> None:
    assert regions.read("a", "APPENDIX") is None


def test_an_unclosed_region_has_no_content() -> None:
    assert regions.read("<!-- APPENDIX_START -->\nx", "APPENDIX") is None


def test_writing_replaces_what_is_between_the_markers_and_nothing_else() -> None:
    text = regions.write(f"a\n{REGION}\nb\n", "SLOW_UPDATE", "\nnew\n")
    assert text == "a\n<!-- SLOW_UPDATE_START -->\nnew\n<!-- SLOW_UPDATE_END -->\nb\n"


def test_writing_adds_a_missing_region_at_the_end() -> None:
    assert regions.write("a\n\n", "APPENDIX", "x") == "a\n\n<!-- APPENDIX_START -->\nx\n<!-- APPENDIX_END -->\n"


def test_writing_into_an_empty_document_begins_with_the_region() -> None:
    assert regions.write("", "APPENDIX", "x").startswith("<!-- APPENDIX_START -->")


def test_writing_keeps_crlf_line_ends() -> None:
    text = regions.write("a\r\nb\r\n", "APPENDIX", "x\ny")
    assert text.count("\r\n") == text.count("\n") == 7
    assert regions.read(text, "APPENDIX") == "x\r\ny"


def test_what_was_written_is_read_again_and_writing_it_twice_changes_nothing() -> None:
    once = regions.write("a\n", "SLOW_UPDATE", "x\n\ny")
    assert regions.read(once, "SLOW_UPDATE") == "x\n\ny"
    assert regions.write(once, "SLOW_UPDATE", "x\n\ny") == once


@pytest.mark.parametrize(
    "content",
    [
        "x <!-- SLOW_UPDATE_END --> y",
        "x <!--APPENDIX_START--> y",
        "x <!-- SLOW_<!-- APPENDIX_END -->UPDATE_END --> y",
    ],
)
def test_content_cannot_close_the_region_it_is_written_into(content: str) -> None:
    text = regions.write("a\n", "SLOW_UPDATE", content)
    assert names(text) == ["SLOW_UPDATE"]
    assert regions.read(text, "SLOW_UPDATE") == "x  y"


def test_appended_text_goes_before_the_regions_that_close_the_document() -> None:
    text = f"a\n\n{REGION}\n<!-- APPENDIX_START --><!-- APPENDIX_END -->\n"
    assert regions.body_end(text) == text.index("<!--")


def test_appended_text_goes_to_the_end_when_text_follows_the_region() -> None:
    text = f"{REGION}\nmore\n"
    assert regions.body_end(text) == len(text)


def test_appended_text_never_goes_before_the_front_matter() -> None:
    text = "---\nname: x\n---\n"
    assert text[regions.body_end(text) :].strip() == ""
    assert regions.body_end(text) >= len("---\nname: x\n---")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n", "a"),
        (f"a\n\n{REGION}\n", f"a\n\n{REGION}"),
        ("a\n\n<!-- SLOW_UPDATE_START -->\n\n<!-- SLOW_UPDATE_END -->\n", "a"),
        ("<!-- APPENDIX_START --><!-- APPENDIX_END -->\n<!-- SLOW_UPDATE_START --><!-- SLOW_UPDATE_END -->", ""),
    ],
)
def test_a_region_that_holds_nothing_says_nothing(text: str, said: str) -> None:
    assert regions.without_empty(text) == said


FRONT = "---\nname: dates\n---"
OTHER = "<!-- APPENDIX_START -->\nold\n<!-- APPENDIX_END -->"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("  a\n\n", "a"),
        ("a\r\nb", "a\nb"),
        (f"{REGION}\na", "a"),
        (f"a\n{REGION}\n  - b", "a\n\n  - b"),
        ("a <!-- SLOW_UPDATE_START --> b", "a  b"),
        ("a <!-- SLOW_<!-- APPENDIX_END -->UPDATE_START --> b", "a  b"),
        (f"{FRONT}\n\n# Title", "# Title"),
        ("---\nname: x\ndescription: >\n  long\ntags:\n- a\n# note\n\n---\n# Title", "# Title"),
        ("---\n---\n# Title", "# Title"),
        ("---\n# Title\n- rule: a\n---\nmore", "# Title\n- rule: a\n---\nmore"),
        ("---\nAnswer briefly.\n---\nmore", "Answer briefly.\n---\nmore"),
        ("---\na: b\nAnswer briefly.\n---\nmore", "a: b\nAnswer briefly.\n---\nmore"),
        ("# Title\n\n---\n\nmore", "# Title\n\n---\n\nmore"),
        (f"{FRONT}\n{REGION}\n", ""),
        ("<!-- APPENDIX_START -->", ""),
    ],
)
def test_what_is_not_protected_is_the_teachers_own_text(written: str, left: str) -> None:
    assert regions.unprotected(written) == left


@pytest.mark.parametrize(
    "written",
    [
        "# New\n\n- rule\n",
        f"# New\n\n- rule\n\n{REGION}\n",
        f"{REGION.replace('keep', 'changed')}\n# New\n\n- rule",
        "# New\n<!-- SLOW_UPDATE_END -->\n- rule\n<!-- APPENDIX_START -->",
        "---\nname: another\ndescription: made up\n---\n# New\n\n- rule\n",
        f"{FRONT}\n\n# New\n\n- rule\n\n{OTHER}\n\n{REGION}\n",
    ],
)
def test_front_matter_and_regions_survive_whatever_the_new_document_makes_of_them(written: str) -> None:
    made = regions.carry_over(written, f"{FRONT}\n# Old\n\n{REGION}\n\n- old rule\n\n{OTHER}\n")
    front, rest = made.split("\n\n", maxsplit=1)
    assert front == FRONT
    assert rest.endswith(f"- rule\n\n{REGION}\n\n{OTHER}\n")
    assert made.count("SLOW_UPDATE_START") == made.count("APPENDIX_START") == 1
    assert "old rule" not in made
    assert "another" not in made


def test_a_document_takes_the_place_of_one_without_anything_protected() -> None:
    assert regions.carry_over("# New  \n\n", "# Old\n") == "# New\n"


def test_the_old_line_ends_are_kept_when_a_document_takes_its_place() -> None:
    old = f"{FRONT}\n# Old\n{REGION}\n".replace("\n", "\r\n")
    made = regions.carry_over("# New\n- rule", old)
    assert made.count("\n") == made.count("\r\n")
    assert regions.protected(made) == regions.protected(old)


def test_a_rule_at_the_top_does_not_become_front_matter() -> None:
    assert regions.protected(regions.carry_over("---\nAnswer briefly.\n\n---\n\nMore.", "# Old\n")) == ()


def test_front_matter_that_is_no_yaml_is_recognised_where_it_was_copied() -> None:
    old = "---\n- not: yaml\n---\n# Old\n"
    assert regions.carry_over("---\n- not: yaml\n---\n# New\n", old) == "---\n- not: yaml\n---\n\n# New\n"

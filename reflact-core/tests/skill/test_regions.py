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

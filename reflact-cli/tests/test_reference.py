"""The page of the commands is what the commands say."""

from pathlib import Path

from reflact_cli.main import COMMANDS
from reflact_cli.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference()


def test_the_page_has_every_command() -> None:
    page = reference()
    assert [name for name in COMMANDS if f"## `reflact {name}" not in page] == []

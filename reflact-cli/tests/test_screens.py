"""The two screens: lines for a pipe, one bar for a terminal."""

from __future__ import annotations

import io
import re

import pytest
from reflact_cli.screen.live import Live
from reflact_cli.screen.plain import Plain
from reflact_cli.screen.printable import printable
from rich.console import Console


def on_terminal() -> tuple[Live, io.StringIO]:
    shown = io.StringIO()
    return Live(Console(file=shown, force_terminal=True, width=100, highlight=False)), shown


def test_a_pipe_gets_a_line_when_a_stage_is_over() -> None:
    lines: list[str] = []
    screen = Plain(lines.append)
    screen.begin("rollout", 2)
    screen.advance()
    assert lines == []
    screen.end()
    assert re.fullmatch(r"  rollout: 1 of 2 in \d\.\d s", lines[0])


def test_a_terminal_shows_the_stage_and_how_far_it_is() -> None:
    screen, shown = on_terminal()
    screen.begin("rollout", 2)
    screen.advance()
    screen.close()
    assert "rollout" in shown.getvalue()
    assert "1/2" in shown.getvalue()


def test_a_terminal_shows_that_the_teacher_is_at_work_after_reflect() -> None:
    screen, shown = on_terminal()
    screen.begin("reflect", 1)
    screen.end()
    screen.close()
    assert "merge, rank, update" in shown.getvalue()


def test_a_terminal_gets_its_cursor_back() -> None:
    screen, shown = on_terminal()
    screen.close()
    assert shown.getvalue().rindex("\x1b[?25h") > shown.getvalue().rindex("\x1b[?25l")


def test_the_bar_of_a_stage_that_is_over_is_not_drawn_under_later_lines() -> None:
    screen, shown = on_terminal()
    screen.begin("evaluate", 8)
    screen.end()
    before = len(shown.getvalue())
    screen.line("step 1/4", "green")
    screen.close()
    assert "step 1/4" in shown.getvalue()[before:]
    assert "evaluate" not in shown.getvalue()[before:]


def test_the_colour_of_a_line_does_not_spread_to_the_bar() -> None:
    screen, shown = on_terminal()
    screen.begin("rollout", 8)
    before = len(shown.getvalue())
    screen.line("step 1/4", "green")
    screen.close()
    after = shown.getvalue()[before:]
    assert "\x1b[32mstep 1/4\x1b[0m" in after
    assert "\x1b[32m  rollout" not in after


def test_square_brackets_of_a_model_are_no_markup() -> None:
    screen, shown = on_terminal()
    screen.line("[bold]not bold[/bold] [x]", "green")
    screen.close()
    assert "[bold]not bold[/bold] [x]" in shown.getvalue()


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\x9b2Jb", "a\rb", "a\x07b", "a\x00b"])
def test_what_would_steer_a_terminal_is_taken_out(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", printable(text))


def test_line_ends_tabs_and_letters_of_all_kinds_stay() -> None:
    assert printable("ü\t→ 🏔\r\nnext\n") == "ü\t→ 🏔\nnext\n"

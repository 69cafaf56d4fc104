"""What every command-line agent must do: the real program is run against a fake server that plays its model."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from reflact.contracts import ExaminesItself
from reflact.errors import BackendError, ReflactError
from reflact.testing.agent_chat import AgentAnswers
from reflact.testing.agent_link import command_lines, holding, job, sent
from reflact.testing.pictures import pictures_of
from reflact.testing.registered import KEY, PIXEL
from reflact.testing.server import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Resume, Skill, Usage

USED = Usage(calls=1, prompt=100, cached=20, completion=10, reasoning=3)
PROMPT = 'Line one.\nLine "two" — $HOME `date` \\n, ümläut 🏔.\n' + "Data 🏔, and more data.\n" * 1700 + "The last line."
SPY = "env | tee env.txt; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'"


class AgentContract(AgentAnswers):
    """Subclass it, say `name`, `shell` and `conversation`, and set `path` in a fixture that all tests use.

    Most tests start the program: mark the class as slow. A backend without `chat` sets each `test_as_…` to `None`.
    """

    def test_an_examination_finds_nothing_wrong_and_asks_no_model(self) -> None:
        with FakeModelServer(lambda _: "ok") as server:
            agent = self.agent(server.url)
            assert isinstance(agent, ExaminesItself)
            levels = {one.level for one in agent.examine()}
            assert not server.requests
        assert "good" in levels
        assert "error" not in levels

    def test_a_program_that_is_not_there_is_named_before_any_task(self) -> None:
        try:
            agent = self.agent("http://127.0.0.1:9", **self.nowhere)
            assert isinstance(agent, ExaminesItself)
            told = " ".join(one.told for one in agent.examine() if one.level == "error")
        except ReflactError as error:
            told = str(error)
        assert str(self.nowhere["path"]) in told

    def test_the_whole_skill_is_before_the_model_at_its_first_call(self, tmp_path: Path) -> None:
        skill = "# Rules\n" + "- A rule of some length, 🏔.\n" * 1400 + "- The last rule."
        with FakeModelServer(lambda _: "ok") as server:
            self.agent(server.url).run(job(tmp_path, skill=Skill(skill)))
            assert skill in sent(server.requests[0])

    def test_a_long_prompt_of_many_lines_arrives_whole(self, tmp_path: Path) -> None:
        with FakeModelServer(lambda _: "ok") as server:
            self.agent(server.url).run(job(tmp_path, prompt=PROMPT))
            assert PROMPT in sent(server.requests[0])

    def test_files_are_where_the_job_puts_them(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes | Path] = {
            "data/table.csv": "town;height\nQuito;2850 🏔\n",
            "raw.bin": bytes(range(256)),
        }
        script = self.runs("cat data/table.csv; wc -c < raw.bin", last="ok")
        with FakeModelServer(script) as server:
            self.agent(server.url).run(job(tmp_path, files=files))
            shown = server.requests[1].results[0]
        assert "Quito;2850 🏔" in shown
        assert "256" in shown

    def test_an_image_is_seen_and_lies_in_the_workspace(self, tmp_path: Path) -> None:
        with FakeModelServer(lambda _: "a dot") as server:
            result = self.agent(server.url).run(job(tmp_path, images=(PIXEL,)))
            seen = [one.data for one in pictures_of(server.requests[0])]
        assert (result.answer, seen) == ("a dot", [PIXEL.data])
        assert result.workspace is not None
        assert [one for one in result.workspace.rglob("*.png") if one.read_bytes() == PIXEL.data]

    def test_answer_steps_and_usage_are_what_the_model_said_did_and_cost(self, tmp_path: Path) -> None:
        script = self.runs("cat task.md", "echo seven > made.txt; exit 3", last="<answer>7</answer>")
        with FakeModelServer(lambda request: replace(script(request), usage=USED)) as server:
            result = self.agent(server.url).run(job(tmp_path, prompt="Which number?"))
        assert (result.answer, result.outcome, result.error) == ("<answer>7</answer>", "ok", None)
        assert [(one["step"], one["kind"], one.get("exit_code")) for one in result.trace] == [
            (1, "command", 0),
            (2, "command", 3),
            (3, "message", None),
        ]
        assert "Which number?" in result.trace[0]["output"]
        assert {one["role"] for one in result.trace} == {"agent"}
        assert result.usage == USED + USED + USED
        assert result.workspace is not None
        assert (result.workspace / "made.txt").read_text() == "seven\n"
        assert result.summary

    @pytest.mark.parametrize(
        ("reply", "outcome"),
        [
            (FakeReply(finish="refused"), "refused"),
            (FakeReply(text=""), "empty"),
            (FakeReply(text="half an ans", finish="length"), "truncated"),
        ],
        ids=["refused", "empty", "truncated"],
    )
    def test_how_the_model_ends_is_the_outcome(self, tmp_path: Path, reply: FakeReply, outcome: str) -> None:
        with FakeModelServer(lambda _: reply) as server:
            assert self.agent(server.url).run(job(tmp_path)).outcome == outcome

    def test_a_deadline_is_an_outcome_and_ends_all_that_was_started(self, tmp_path: Path) -> None:
        seconds = f"613.{time.time_ns() % 10**9:09d}"
        script = self.runs(f"setsid tail -s {seconds} -f /dev/null & tail -s {seconds} -f /dev/null", last="late")
        with FakeModelServer(script) as server:
            result = self.agent(server.url).run(job(tmp_path, timeout_s=5.0))
        assert (result.outcome, result.answer) == ("timeout", "")
        assert result.trace
        assert not [one for one in command_lines() if one.startswith(b"tail\0") and seconds.encode() in one]

    @pytest.mark.parametrize(
        ("reply", "fault"),
        [
            (FakeReply(status=401, message=f"Incorrect API key provided: {KEY}"), "auth"),
            (FakeReply(status=429, code="insufficient_quota", message="You exceeded your current quota."), "quota"),
        ],
        ids=["auth", "quota"],
    )
    def test_a_wrong_key_and_an_empty_account_are_fatal(self, tmp_path: Path, reply: FakeReply, fault: str) -> None:
        error = self.error_of(reply, tmp_path)
        assert (error.fault, error.fatal) == (fault, True)
        assert KEY not in str(error)
        assert not holding(tmp_path, KEY)

    @pytest.mark.parametrize("after", [1, 2])
    def test_a_probe_sees_the_steps_up_to_its_own_and_nothing_after(self, tmp_path: Path, after: int) -> None:
        script = self.runs("echo one | tee made.txt; echo out-1", "echo out-2", last="done")
        because = FakeReply(text="because")
        with FakeModelServer(lambda request: because if "PROBE" in sent(request) else script(request)) as server:
            agent = self.agent(server.url)
            first = job(tmp_path, "first")
            agent.run(first)
            whole = self._shown(server.requests[-1], tmp_path)
            asked = len(server.requests)
            resume = Resume(workdir=first.workdir, after_step=after)
            result = agent.run(job(tmp_path, "second", prompt="PROBE: why?", resume=resume))
            assert len(server.requests) == asked + 1
            probed = self._shown(server.requests[asked], tmp_path)
        end = max(place for place, text in enumerate(whole) if f"out-{after}" in text)
        assert "PROBE: why?" in probed[-1]
        assert probed[:-1] == whole[: end + 1]
        assert (result.answer, result.outcome) == ("because", "ok")
        assert result.workspace is not None
        assert (result.workspace / "made.txt").read_text() == "one\n"

    def test_a_key_is_in_nothing_that_the_student_sees_or_that_is_kept(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG")
        script = self.runs(SPY, last="done")
        lines: list[bytes] = []

        def watched(request: FakeRequest) -> FakeReply:
            lines.extend(command_lines())
            return script(request)

        with FakeModelServer(watched, key=KEY) as server:
            result = self.agent(server.url).run(job(tmp_path))
            shown = server.requests[1].results[0]
        assert result.outcome == "ok"
        assert "PATH=" in shown
        assert [one for one in lines if Path(self.path).stem.encode() in one], "no command line of the program was seen"
        assert not [one for one in lines if KEY.encode() in one]
        assert KEY not in shown + repr(result) + caplog.text
        assert not holding(tmp_path, KEY)

    def error_of(self, reply: FakeReply, folder: Path) -> BackendError:
        """Return the error a job ends in when the model gives *reply*."""
        with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError) as caught:
            self.agent(server.url).run(job(folder))
        return caught.value

    def _shown(self, request: FakeRequest, folder: Path) -> list[str]:
        """Return the conversation with one name for the folders of all jobs."""
        found = self.conversation(request)
        return [text.replace(f"{folder}/first", "JOB").replace(f"{folder}/second", "JOB") for text in found]

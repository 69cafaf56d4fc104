"""Deep reflect with an agent: the probe goes on from a step of what the agent did."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reflact.engine.train import train
from reflact.stages.probe import steps
from reflact.types import ChatRequest, ExecJob, ExecResult, Rollout
from world import insightful, world

DEEP = {"use_deep_reflect": True, "deep_reflect_failures": 2, "deep_reflect_successes": 1, "minibatch_size": 8}
STEPS = 4


class Clerk:
    """An agent that takes four steps and obeys the skill, as the obedient student does."""

    def __init__(self) -> None:
        self.jobs: list[ExecJob] = []

    def run(self, job: ExecJob) -> ExecResult:
        job.workdir.mkdir(parents=True, exist_ok=True)
        (job.workdir / "session.jsonl").write_text("what was said", encoding="utf-8")
        self.jobs.append(job)
        if job.resume:
            assert (job.resume.workdir / "session.jsonl").read_text(encoding="utf-8") == "what was said"
            return ExecResult(answer="I took the wrong file.", trace=(step(1, "cat other.txt"),))
        number, rule = re.findall(r"\d+", job.prompt)[:2]
        answer = f"done {number}" if f"RULE {rule}." in job.skill.text else "no idea"
        return ExecResult(answer=answer, trace=tuple(step(n, f"look {n}") for n in range(1, STEPS + 1)))


def step(number: int, command: str) -> dict[str, Any]:
    return {"role": "agent", "step": number, "kind": "command", "content": command, "output": "x", "exit_code": 0}


class Asked:
    """A teacher whose probes say *where*, and who keeps what it was asked."""

    def __init__(self, where: Mapping[str, Any]) -> None:
        self.where = where
        self.probes: list[str] = []
        self.analysed: list[str] = []

    def __call__(self, request: ChatRequest) -> str:
        text = request.messages[-1].text
        if request.stage == "deep_probe":
            self.probes.append(text)
            return json.dumps({"reasoning": "", "probe_instruction": "What do you take it to mean?", **self.where})
        if request.stage == "analyst":
            self.analysed.append(text)
        return insightful(request)


def probed(root: Path, where: Mapping[str, Any], **model: Any) -> tuple[Clerk, Asked, dict[str, Any]]:
    clerk, teacher = Clerk(), Asked(where)
    resolved, plugins = world(clerk, teacher, gradient=DEEP, train={"num_epochs": 1, "batch_size": 16}, model=model)
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    train(resolved, plugins, root, observers=quiet)
    probe = json.loads((root / "steps/step_0001/deep_reflect/probe.json").read_text(encoding="utf-8"))
    return clerk, teacher, probe


def test_the_agent_goes_on_after_the_step_that_the_teacher_chose(tmp_path: Path) -> None:
    clerk, teacher, probe = probed(tmp_path, {"probe_after_step": 2})
    (again,) = [job for job in clerk.jobs if job.resume]
    assert again.resume is not None
    assert again.prompt == "What do you take it to mean?"
    assert (again.resume.after_step, again.resume.workdir.name) == (2, probe["probe_target_id"])
    assert again.resume.workdir.is_relative_to(tmp_path / "steps/step_0001/rollout")
    assert any("I took the wrong file." in text for text in teacher.analysed)


def test_steps_that_an_env_counts_are_none_of_an_agent() -> None:
    played = ({"step": 1, "kind": "action", "content": "> look"}, {"role": "system", "content": "lost"})
    assert steps(Rollout(task_id="t", hard=0.0, soft=0.0, trace=played)) == 0
    assert steps(Rollout(task_id="t", hard=0.0, soft=0.0, trace=({"role": "agent", **played[0]},))) == 1


def test_the_teacher_sees_the_numbers_of_the_steps(tmp_path: Path) -> None:
    _, teacher, _ = probed(tmp_path, {})
    assert "[step 3, command, exit 0] look 3" in teacher.probes[0]


def test_only_the_chosen_task_is_run_again(tmp_path: Path) -> None:
    _, _, first = probed(tmp_path / "first", {})
    other = next(one["id"] for one in first["selected_examples"] if one["id"] != first["selected_examples"][0]["id"])
    clerk, _, probe = probed(tmp_path / "other", {"probe_target_id": other, "probe_after_step": 1})
    assert probe["probe_target_id"] == other
    assert [job.workdir.name for job in clerk.jobs if job.resume] == [other]


@pytest.mark.parametrize(("asked", "taken"), [(None, STEPS - 1), (99, STEPS), (-3, 0)])
def test_a_step_that_was_not_taken_is_the_nearest_that_was(tmp_path: Path, asked: int | None, taken: int) -> None:
    clerk, _, probe = probed(tmp_path, {"probe_after_step": asked, "probe_target_id": "nobody"})
    assert (probe["probe_after_step"], probe["probe_target_id"]) == (taken, probe["selected_examples"][0]["id"])
    assert bool([job for job in clerk.jobs if job.resume]) == bool(taken)


def test_before_the_first_step_the_task_is_done_again_with_the_question_added(tmp_path: Path) -> None:
    clerk, _, _ = probed(tmp_path, {"probe_after_step": 0})
    assert [job.prompt.count("What do you take it to mean?") for job in clerk.jobs].count(1) == 1


def test_a_teacher_who_may_not_see_the_steps_does_not(tmp_path: Path) -> None:
    _, teacher, probe = probed(tmp_path, {}, codex_trace_to_teacher=False)
    assert "look 3" not in "".join([*teacher.probes, *teacher.analysed])
    assert "probe_after_step" not in probe


def test_a_probe_that_cannot_be_run_does_not_end_the_run(tmp_path: Path) -> None:
    class Forgetful(Clerk):
        def run(self, job: ExecJob) -> ExecResult:
            if job.resume:
                return ExecResult(answer="", outcome="infra_error", error="the session is gone")
            return super().run(job)

    teacher = Asked({})
    resolved, plugins = world(Forgetful(), teacher, gradient=DEEP, train={"num_epochs": 1, "batch_size": 16})
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    summary = train(resolved, plugins, tmp_path, observers=quiet)
    assert summary.values["total_steps"] == 1
    assert not any("the session is gone" in text for text in teacher.analysed)

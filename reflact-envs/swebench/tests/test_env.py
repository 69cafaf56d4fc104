"""One issue from the prompt to the score: mini-swe-agent acts in the sandbox, and real tests judge."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ConfigError, Rollout, Skill, Task
from reflact.config import resolve
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger
from reflact.plugins import Plugins
from reflact.stages.rollout import run_task
from reflact.stages.student import Aim, TaskStudent
from reflact.stages.trajectories import trajectories
from reflact.testing import ScriptedModel, scripted_backend
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult, ToolCall, Usage
from reflact_env_swebench import SWEBench
from reflact_env_swebench.agent.room import MARK
from reflact_env_swebench.judge.local import changed

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
Build = Callable[..., SWEBench]
PROMPTS = Prompts((files("reflact.prompts") / "default",))
SUBMIT = f"echo {MARK} && cat patch.txt"


def bash(command: str, *, usd: float | None = None, number: int = 1) -> ChatReply:
    call = ToolCall(id=f"c{number}", name="bash", arguments=json.dumps({"command": command}))
    return ChatReply(text="Next.", tool_calls=(call,), usage=Usage(calls=1, prompt=10, completion=5), usd=usd)


def step(request: ChatRequest) -> int:
    return sum(one.role == "tool" for one in request.messages)


def commands(*those: str) -> Callable[[ChatRequest], ChatReply]:
    """Return what gives *those* commands one after another, and the last one again and again."""
    return lambda request: bash(those[min(step(request), len(those) - 1)])


def mending(patch: str) -> tuple[str, ...]:
    """Return the commands of somebody who knows *patch*, which changes the third line of one file."""
    (module,) = changed(patch)
    line = next(one[1:] for one in patch.splitlines() if one.startswith("+ "))
    return (f"cat {module}", f"sed -i '3s|.*|{line}|' {module}", f"git diff -- {module} > patch.txt", SUBMIT)


def done(
    env: SWEBench,
    replies: Callable[[ChatRequest], str | ChatReply],
    folder: Path,
    *,
    skill: str = "Be brief.",
    aim: str = "",
    task: Task | None = None,
) -> tuple[Rollout, ScriptedModel]:
    model = ScriptedModel(replies)
    bound = Bound(role="student", backend="fake", model_name="m", kind="chat", model=model, ledger=Ledger())
    rollout = run_task(
        task or env.tasks("train")[0],
        Skill(skill),
        env=env,
        student=lambda: TaskStudent(model=bound, prompts=PROMPTS, aim=Aim(instruction=aim)),
        workdir=folder / "work",
        retries=0,
    )
    return rollout, model


def right_patch(env: SWEBench, task: Task | None = None) -> str:
    return env.gold(task or env.tasks("train")[0]).split(f"{MARK}\n")[1].split("END_OF_PATCH")[0]


def test_an_issue_is_mended_with_sed_and_its_patch_judged(build: Build, tmp_path: Path) -> None:
    env = build()
    rollout, model = done(env, commands(*mending(right_patch(env))), tmp_path)
    assert (rollout.hard, rollout.soft, rollout.outcome, rollout.feedback) == (1.0, 1.0, "ok", "")
    assert (rollout.extra["exit_status"], rollout.extra["n_turns"], rollout.usage.calls) == ("Submitted", 4, 4)
    assert (rollout.extra["f2p"], rollout.extra["p2p"]) == ({"pass": 1, "total": 1}, {"pass": 1, "total": 1})
    assert "exit code 0\ndef " in model.requests[1].messages[-1].text


def test_what_came_of_it_stays_in_the_tasks_folder(build: Build, tmp_path: Path) -> None:
    env = build()
    rollout, _ = done(env, commands(*mending(right_patch(env))), tmp_path)
    work = tmp_path / "work"
    assert (work / "patch.diff").read_text() == rollout.answer
    assert json.loads((work / "preds.json").read_text())[rollout.task_id]["model_patch"] == rollout.answer
    assert json.loads((work / "reflact.traj.json").read_text())["trajectory_format"] == "mini-swe-agent-1.1"
    assert "test_the_issue" in (work / "test_output.txt").read_text()


def test_an_empty_patch_scores_nothing_and_is_not_tested(build: Build, tmp_path: Path) -> None:
    rollout, _ = done(build(), commands(f"echo {MARK}"), tmp_path)
    assert (rollout.hard, rollout.scored, rollout.feedback) == (0.0, True, "empty patch (Submitted)")
    assert not (tmp_path / "work" / "test_output.txt").exists()


def test_a_wrong_patch_is_told_with_its_tests_and_without_the_right_one(build: Build, tmp_path: Path) -> None:
    env = build()
    first, change, *rest = mending(right_patch(env))
    rollout, _ = done(env, commands(first, change.replace("3s|.*|", "3s|.*|    pass #"), *rest), tmp_path)
    assert rollout.hard == 0.0
    assert rollout.feedback.startswith("swebench unresolved (Submitted): 1 of 1 target tests fail")
    assert "test_the_issue" in rollout.feedback and "end of the test output:" in rollout.feedback
    assert right_patch(env).splitlines()[-1] not in rollout.feedback


def test_bug_3_nothing_hidden_is_in_what_the_student_sees_or_can_reach(build: Build, tmp_path: Path) -> None:
    env = build()
    look = "cat *.py; git log --all -p; ls -a . ..; env; ls /work /root /home 2>/dev/null; true"
    _, model = done(env, commands(look, f"echo {MARK}"), tmp_path)
    seen = "\n".join(message.text for request in model.requests for message in request.messages)
    new = next(one[1:].strip() for one in right_patch(env).splitlines() if one.startswith("+ "))
    assert "class Checks" in seen
    assert not [part for part in (new, "test_the_issue", str(tmp_path), "API_KEY") if part in seen]


@pytest.mark.parametrize("skill", ["{{ oops }} {% raw %} {x} $y \\n", "{% for %}", "{# gone #}", "a\r\nb"])
def test_bug_4_braces_in_a_skill_are_text(build: Build, tmp_path: Path, skill: str) -> None:
    _, model = done(build(), commands(f"echo {MARK}"), tmp_path, skill=skill)
    system = model.requests[0].messages[0]
    assert system.role == "system" and system.text.endswith(f"## Skill\n\n{skill}")


def test_a_blank_skill_leaves_no_heading(build: Build, tmp_path: Path) -> None:
    _, model = done(build(), commands(f"echo {MARK}"), tmp_path, skill=" \n")
    assert "Skill" not in model.requests[0].messages[0].text


def test_braces_in_an_issue_are_text_too(build: Build, tmp_path: Path) -> None:
    env = build()
    task = env.tasks("train")[0]
    told = replace(task, data={**task.data, "problem_statement": "{{ config }} {% if %}"})
    _, model = done(env, commands(f"echo {MARK}"), tmp_path, task=told)
    assert "{{ config }} {% if %}" in model.requests[0].messages[1].text


def test_bug_5_every_reply_comes_through_the_router_and_costs_what_it_says(build: Build, tmp_path: Path) -> None:
    priced = iter([bash("ls", usd=0.25), bash(f"echo {MARK}", usd=0.5)])
    rollout, model = done(build(), lambda _: next(priced), tmp_path)
    assert len(model.requests) == rollout.usage.calls == 2
    assert rollout.extra["model_stats"] == {"instance_cost": 0.75, "api_calls": 2}
    assert rollout.usage.prompt == 20


def test_bug_6_the_time_of_an_issue_is_a_real_limit(build: Build, tmp_path: Path) -> None:
    began = time.monotonic()
    rollout, _ = done(build(timeout_per_instance=2), commands("sleep 30"), tmp_path)
    assert time.monotonic() - began < 15
    assert (rollout.extra["exit_status"], rollout.hard, rollout.scored) == ("TimeExceeded", 0.0, True)


def test_a_command_that_does_not_end_is_stopped_and_the_student_told(build: Build, tmp_path: Path) -> None:
    rollout, model = done(build(command_timeout=1), commands("sleep 30", f"echo {MARK}"), tmp_path)
    assert rollout.extra["exit_status"] == "Submitted"
    assert model.requests[1].messages[-1].text.startswith("[not done within 1 s]")


@pytest.mark.parametrize(("settings", "turns"), [({"step_limit": 3}, 3), ({"cost_limit": 0.5}, 2)])
def test_steps_and_cost_are_limited(build: Build, tmp_path: Path, settings: dict[str, Any], turns: int) -> None:
    rollout, _ = done(build(**settings), lambda _: bash("true", usd=0.3), tmp_path)
    assert (rollout.extra["exit_status"], rollout.extra["n_turns"]) == ("LimitsExceeded", turns)
    assert rollout.feedback == "empty patch (LimitsExceeded)"


def test_bug_7_another_skill_is_another_patch(build: Build, tmp_path: Path) -> None:
    env = build()
    good = commands(*mending(right_patch(env)))
    first, _ = done(env, good, tmp_path, skill="one")
    second, model = done(env, commands(f"echo {MARK}"), tmp_path, skill="two")
    assert (first.hard, second.hard, len(model.requests)) == (1.0, 0.0, 1)
    assert (tmp_path / "work" / "patch.diff").read_text() == ""


def test_bug_11_the_teacher_sees_commands_and_what_they_printed(build: Build, tmp_path: Path) -> None:
    rollout, _ = done(build(), commands("echo a-telling-line", f"echo {MARK}"), tmp_path)
    (shown,) = trajectories([rollout])
    assert "echo a-telling-line" in shown.conversation
    assert "[tool] exit code 0\na-telling-line" in shown.conversation
    assert shown.question == rollout.question != ""


def test_a_probe_reaches_the_agent_in_its_first_message(build: Build, tmp_path: Path) -> None:
    _, model = done(build(), commands("true", f"echo {MARK}"), tmp_path, aim="Say what you suspect first.")
    assert all(one.messages[1].text.endswith("Say what you suspect first.") for one in model.requests)


def test_a_backend_that_is_down_is_no_failure_of_the_skill(build: Build, tmp_path: Path) -> None:
    def down(_: ChatRequest) -> ChatReply:
        raise BackendError("no route", fault="unavailable")

    rollout, _ = done(build(), down, tmp_path)
    assert (rollout.scored, rollout.outcome, rollout.error) == (False, "infra_error", "student (fake): no route")


def test_an_agent_that_never_gives_a_command_is_told_and_then_ended(build: Build, tmp_path: Path) -> None:
    rollout, model = done(build(), lambda _: "I would rather talk.", tmp_path)
    assert (rollout.extra["exit_status"], len(model.requests)) == ("RepeatedFormatError", 3)
    assert "holds no command" in model.requests[1].messages[-1].text


def test_files_outlast_a_command_and_a_shell_does_not(build: Build, tmp_path: Path) -> None:
    lines = ("cd / && export X=1 && echo kept > $TMPDIR/note", 'cat "$TMPDIR/note"; pwd; echo "X=$X"', f"echo {MARK}")
    _, model = done(build(), commands(*lines), tmp_path)
    assert "kept\n" in model.requests[2].messages[-1].text and "X=\n" in model.requests[2].messages[-1].text
    assert "/testbed\n" in model.requests[2].messages[-1].text


def test_a_stored_patch_is_judged_anew_without_a_model(build: Build, tmp_path: Path) -> None:
    env = build()
    rollout, _ = done(env, commands(*mending(right_patch(env))), tmp_path)
    again = env.regrade(env.tasks("train")[0], replace(rollout, hard=0.0, outcome="infra_error", error="engine down"))
    assert (again.hard, again.outcome, again.trace) == (1.0, "ok", rollout.trace)


def test_the_patches_of_a_split_are_handed_in_as_the_benchmark_takes_them(build: Build, tmp_path: Path) -> None:
    env = build()
    rollout, _ = done(env, commands(*mending(right_patch(env))), tmp_path)
    lines = [json.loads(line) for line in env.submission([rollout, replace(rollout, answer="")]).splitlines()]
    wanted = {"instance_id": rollout.task_id, "model_name_or_path": "reflact"}
    assert lines == [{**wanted, "model_patch": rollout.answer}, {**wanted, "model_patch": ""}]
    assert lines[:1] == list(json.loads((tmp_path / "work" / "preds.json").read_text()).values())


def test_partial_credit_is_the_share_of_target_tests(build: Build, tmp_path: Path) -> None:
    env = build(soft_metric="f2p_fraction")
    rollout, _ = done(env, commands(*mending(right_patch(env))), tmp_path)
    assert rollout.soft == 1.0


@pytest.mark.parametrize(
    ("wanted", "holds", "lacks"),
    [("none", "", "test_"), ("tests", "test_the_issue", ".py"), ("patch", ".py", "return")],
)
def test_a_probing_teacher_knows_what_is_allowed(build: Build, wanted: str, holds: str, lacks: str) -> None:
    env = build(deep_reflect_reference=wanted)
    told = env.reference(env.tasks("train")[0])
    assert holds in told and lacks not in told


def test_a_command_line_agent_is_refused_as_student() -> None:
    class Agent:
        def run(self, job: ExecJob) -> ExecResult:
            return ExecResult(answer="")

    plugins = Plugins()
    plugins.register(scripted_backend("tiny_agent", Agent()), label="agent")
    plugins.register(scripted_backend("tiny_teacher", ScriptedModel(lambda _: "")), label="teacher")
    roles = {"teacher": {"backend": "tiny_teacher"}, "student": {"backend": "tiny_agent"}}
    with pytest.raises(ConfigError, match="env 'swebench' takes no exec student"):
        resolve({"model": roles, "env": {"name": "swebench"}}, plugins=plugins)


def test_without_docker_nothing_is_asked_of_a_model(build: Build) -> None:
    with pytest.raises(ConfigError, match="swebench cannot work yet"):
        build(environment_class="docker", docker="no-such-docker")

"""The loop as its users see it: what is accepted, what is refused, what is written, what is said."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, EnvSpec, Rollout, RunError, Skill, Student, Summary, Task, hookimpl
from reflact.config import resolve
from reflact.engine.evaluate import evaluate
from reflact.engine.resume import reload
from reflact.engine.train import train
from reflact.types import ChatReply, ChatRequest
from world import World, WorldConfig, insightful, obedient, world


def run(root: Path, student: Any = obedient, teacher: Any = insightful, **sections: Any) -> Summary:
    resolved, plugins = world(student, teacher, **sections)
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, root, observers=quiet)


AT_ONCE = {
    "student": {"backend": "scripted_student", "max_retries": 0},
    "teacher": {"backend": "scripted_teacher", "max_retries": 0},
}
"""Models that are not waited for."""


def history(root: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((root / "history.json").read_text())
    return entries


def test_what_the_teacher_proposes_and_the_gate_confirms_is_learnt(tmp_path: Path) -> None:
    summary = run(tmp_path, train={"num_epochs": 2})
    assert summary.values["baseline_test_hard"] == 0.0
    assert summary.values["test_hard"] == 1.0
    assert sorted(re.findall(r"RULE \d", (tmp_path / "best_skill.md").read_text())) == [f"RULE {n}" for n in range(4)]


def test_a_useless_proposal_is_rejected_and_remembered(tmp_path: Path) -> None:
    prompts: list[str] = []

    def useless(request: ChatRequest) -> str:
        prompts.append(request.messages[-1].text)
        number = len(prompts)
        edit = {"op": "append", "target": "", "content": f"Be careful, variant {number}."}
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})

    run(tmp_path, teacher=useless, gradient={"minibatch_size": 8})
    assert [entry["action"] for entry in history(tmp_path)] == ["reject", "reject"]
    assert "Be careful, variant 1." in prompts[1]
    assert (tmp_path / "best_skill.md").read_text() == ""


def test_a_candidate_that_only_ties_is_rejected_without_the_rest_of_the_split(tmp_path: Path) -> None:
    def same_rules(request: ChatRequest) -> str:
        edit = {"op": "append", "target": "", "content": "Nothing of use."}
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})

    run(
        tmp_path,
        student=lambda request: "done 0" if "task 0 " in request.messages[-1].text else "no",
        teacher=same_rules,
    )
    first = history(tmp_path)[0]
    assert first["action"] == "reject"
    assert first["selection_curtailed"] is False


def test_the_gate_stops_a_hopeless_candidate_early_with_the_same_decision(tmp_path: Path) -> None:
    def knows_all_but_spoilt(request: ChatRequest) -> str:
        number = re.findall(r"\d+", request.messages[-1].text)[0]
        spoilt = len(request.messages) > 1 and "SPOIL" in request.messages[0].text
        failing = int(number) < 16 and int(number) % 2
        return "wrong" if spoilt or failing else f"done {number}"

    def spoiler(request: ChatRequest) -> str:
        edit = {"op": "append", "target": "", "content": "SPOIL"}
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})

    run(tmp_path, student=knows_all_but_spoilt, teacher=spoiler)
    first = history(tmp_path)[0]
    assert (first["action"], first["selection_curtailed"], first["selection_n"]) == ("reject", True, 1)


def test_without_proposals_a_step_is_skipped_and_the_gate_costs_nothing(tmp_path: Path) -> None:
    empty = json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": []}})
    run(tmp_path, teacher=lambda request: empty)
    assert {entry["action"] for entry in history(tmp_path)} == {"skip_no_patches"}
    assert not list(tmp_path.glob("steps/*/selection_eval"))


def test_edits_that_change_nothing_are_no_candidate(tmp_path: Path) -> None:
    edit = {"op": "replace", "target": "text that is not there", "content": "new"}
    reply = json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})
    asked: list[str] = []

    def stubborn(request: ChatRequest) -> str:
        asked.append(request.messages[-1].text)
        return reply

    run(tmp_path, teacher=stubborn, gradient={"minibatch_size": 8, "max_analyst_rounds": 2})
    assert "skipped_replace_target_not_found" in asked[1]
    first = history(tmp_path)[0]
    assert first["action"] == "skip_no_patches"
    assert "skipped_replace_target_not_found" in first["notes"][0]
    assert not list(tmp_path.glob("steps/*/selection_eval"))


def test_an_edit_that_gives_an_answer_away_is_refused_and_reported(tmp_path: Path) -> None:
    def crib(request: ChatRequest) -> str:
        number = re.findall(r"task (\d+) ", request.messages[1].text)[0]
        edits = [
            {"op": "append", "target": "", "content": f"Task {number}: answer done {number}."},
            {"op": "append", "target": "", "content": "- RULE 0. RULE 1. RULE 2. RULE 3."},
        ]
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": edits}})

    run(tmp_path, teacher=crib, gradient={"merge": "concat"})
    assert "answer done" not in (tmp_path / "best_skill.md").read_text()
    assert "it gives away done" in history(tmp_path)[0]["notes"][0]
    assert history(tmp_path)[0]["action"] == "accept_new_best"


def test_a_teacher_that_only_gives_answers_away_is_asked_for_rules(tmp_path: Path) -> None:
    def learns(request: ChatRequest) -> str:
        content = "- RULE 0. RULE 1. RULE 2. RULE 3."
        if len(request.messages) == 2:
            number = re.findall(r"task (\d+) ", request.messages[1].text)[0]
            content = f"Task {number}: done {number}."
        edit = {"op": "append", "target": "", "content": content}
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})

    run(tmp_path, teacher=learns, gradient={"merge": "concat"})
    assert history(tmp_path)[0]["selection_hard"] == 1.0


def test_the_teacher_may_set_the_learning_rate(tmp_path: Path) -> None:
    def decides(request: ChatRequest) -> str:
        if request.stage == "lr_autonomous":
            return json.dumps({"learning_rate": "at most 1", "reasoning": "", "confidence": "high", "risk_notes": []})
        return insightful(request)

    run(tmp_path, teacher=decides, optimizer={"lr_control_mode": "autonomous", "use_slow_update": False})
    decision = json.loads((tmp_path / "steps/step_0001/lr_decision.json").read_text())
    assert (decision["learning_rate"], decision["fallback"]) == (1, False)
    lines = (tmp_path / "lr_history.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2]
    assert history(tmp_path)[0]["n_edits_ranked"] == 1


def test_without_learning_rate_control_every_merged_edit_stays(tmp_path: Path) -> None:
    def prolific(request: ChatRequest) -> str:
        edits = [{"op": "append", "target": "", "content": f"- Note {request.repeat} {n}."} for n in range(8)]
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": edits}})

    sections = {"gradient": {"merge": "concat"}, "optimizer": {"lr_control_mode": "none", "use_slow_update": False}}
    run(tmp_path, teacher=prolific, **sections)
    assert history(tmp_path)[0]["n_edits_ranked"] == history(tmp_path)[0]["n_edits_merged"] > 8


def test_of_several_candidates_the_one_that_repairs_most_goes_to_the_gate(tmp_path: Path) -> None:
    def mixed(request: ChatRequest) -> str:
        content = "- RULE 0. RULE 1. RULE 2. RULE 3." if request.repeat == 1 else f"No help {request.repeat}."
        edit = {"op": "append", "target": "", "content": content}
        return json.dumps({"failure_summary": [], "patch": {"reasoning": "", "edits": [edit]}})

    sections = {
        "optimizer": {"candidates_per_step": 4, "learning_rate": 1, "use_slow_update": False, "use_meta_skill": False},
        "gradient": {"merge": "concat", "minibatch_size": 3},
    }
    run(tmp_path, teacher=mixed, **sections)
    first = history(tmp_path)[0]
    assert first["action"] == "accept_new_best"
    assert first["selection_hard"] == 1.0
    assert max(first["candidates"], key=lambda one: one["right"])["name"] == "minibatch_fail_001"


def test_accumulated_microbatches_make_one_candidate(tmp_path: Path) -> None:
    run(tmp_path, train={"batch_size": 4, "accumulation": 2})
    entry = history(tmp_path)[0]
    assert [part["n_envs"] for part in entry["accumulation_batches"]] == [4, 4]
    assert (tmp_path / "steps/step_0001/batch_1/rollout/results.jsonl").is_file()


def test_support_is_the_number_of_trajectories_behind_an_edit(tmp_path: Path) -> None:
    run(tmp_path)
    ranked = json.loads((tmp_path / "steps/step_0001/ranked_edits.json").read_text())
    assert all(
        edit["support_count"] == 3 * len(edit["sources"]) or edit["support_count"] == 2 for edit in ranked["edits"]
    )


def test_an_outage_stops_the_run_with_its_cause_and_resuming_goes_on(tmp_path: Path) -> None:
    up = [False]

    def moody(request: ChatRequest) -> str:
        if not up[0]:
            raise BackendError("cannot reach http://127.0.0.1:9", fault="unavailable")
        return obedient(request)

    with pytest.raises(
        RunError, match=r"baseline: \d+ of 12 tasks failed to run.*student \(scripted_student\): cannot reach"
    ):
        run(tmp_path, student=moody, model=AT_ONCE)
    assert not (tmp_path / "runtime_state.json").exists()
    up[0] = True
    assert run(tmp_path, student=moody, model=AT_ONCE).values["test_hard"] > 0


def test_a_bad_key_stops_the_run_at_the_first_call(tmp_path: Path) -> None:
    calls = []

    def locked_out(request: ChatRequest) -> str:
        calls.append(request)
        raise BackendError("401 invalid api key", fault="auth")

    with pytest.raises(BackendError, match="401 invalid api key"):
        run(tmp_path, student=locked_out, env={"workers": 1})
    assert len(calls) == 1


def test_one_call_that_fails_within_the_limit_is_left_out_of_the_score(tmp_path: Path) -> None:
    def flaky(request: ChatRequest) -> str:
        if "task 20 " in request.messages[-1].text:
            raise BackendError("reset by peer", fault="unavailable")
        return obedient(request)

    summary = run(tmp_path, student=flaky, model=AT_ONCE)
    assert summary.values["selection_n"] == 11


def test_an_attempt_never_finds_the_files_of_an_earlier_one(tmp_path: Path) -> None:
    class Writing(World):
        def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
            workdir.mkdir(parents=True)
            if student.answer("hello", skill=skill, workdir=workdir) == "fail":
                raise BackendError("gone", fault="unavailable")
            return Rollout(task_id=task.id, hard=1.0, soft=1.0)

    class Plugin:
        @hookimpl
        def reflact_envs(self) -> list[EnvSpec]:
            return [EnvSpec(name="writing", config=WorldConfig, build=Writing)]

    calls: list[int] = []

    def first_fails(request: ChatRequest) -> str:
        calls.append(1)
        return "fail" if len(calls) == 1 else "fine"

    _, plugins = world(student=first_fails)
    plugins.register(Plugin(), label="writing")
    roles = {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}}
    resolved = resolve({"model": roles, "env": {"name": "writing", "workers": 1}}, plugins=plugins)
    assert evaluate(resolved, plugins, tmp_path, skill=None)["n_errors"] == 0


def test_a_bug_in_an_env_is_an_error_with_its_place_and_not_a_wrong_answer(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"ZeroDivisionError: .*\(test_train\.py:\d+\)"):
        run(tmp_path, student=lambda request: str(1 // 0))


def test_a_truncated_reply_is_scored_and_said_to_be_truncated(tmp_path: Path) -> None:
    run(tmp_path, student=lambda request: ChatReply(text="done", finish="length"))
    row = json.loads((tmp_path / "selection_eval_baseline/results.jsonl").read_text().splitlines()[0])
    assert (row["outcome"], row["hard"]) == ("truncated", 0.0)


def test_a_changed_setting_is_refused_on_resume_with_both_values(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(RunError, match=r"train\.batch_size was 8, now 4"):
        run(tmp_path, train={"batch_size": 4})


def test_more_workers_may_resume_a_run(tmp_path: Path) -> None:
    run(tmp_path)
    assert run(tmp_path, env={"workers": 1}).values["total_steps"] == 2


def test_a_run_goes_on_from_what_it_wrote_down(tmp_path: Path) -> None:
    run(tmp_path)
    _, plugins = world()
    resolved = reload(tmp_path, plugins)
    assert resolved.run.train.batch_size == 8
    assert resolved.roles["student"].backend == "scripted_student"


def test_observers_hear_of_every_stage_and_of_the_end(tmp_path: Path) -> None:
    heard: list[str] = []

    class Ear:
        @hookimpl
        def reflact_stage_finished(self, stage: Any) -> None:
            heard.append(f"{stage.step}:{stage.name}")

        @hookimpl
        def reflact_run_finished(self, summary: Summary) -> None:
            heard.append(f"end:{summary.error}")

    resolved, plugins = world()
    plugins.register(Ear(), label="ear")
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    train(resolved, plugins, tmp_path, observers=quiet)
    stages = ["rollout", "reflect", "aggregate", "select", "update", "evaluate", "gate", "digest"]
    assert list(dict.fromkeys(name.split(":")[1] for name in heard if name.startswith("1:"))) == stages
    assert heard[-1] == "end:None"


def test_observers_hear_why_a_run_failed(tmp_path: Path) -> None:
    heard: list[str | None] = []

    class Ear:
        @hookimpl
        def reflact_run_finished(self, summary: Summary) -> None:
            heard.append(summary.error)

    def refused(request: ChatRequest) -> str:
        raise BackendError("quota used up", fault="quota")

    resolved, plugins = world(student=refused)
    plugins.register(Ear(), label="ear")
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    with pytest.raises(BackendError):
        train(resolved, plugins, tmp_path, observers=quiet)
    assert heard == ["student (scripted_student): quota used up"]


def test_eval_scores_one_skill_on_one_split(tmp_path: Path) -> None:
    skill = tmp_path / "skill.md"
    skill.write_text("RULE 0. RULE 1.")
    resolved, plugins = world()
    values = evaluate(resolved, plugins, tmp_path / "out", skill=skill, split="val")
    assert (values["n_items"], values["right"], values["hard"]) == (12, 6, 0.5)


def test_eval_never_reuses_the_results_of_another_skill(tmp_path: Path) -> None:
    resolved, plugins = world()
    evaluate(resolved, plugins, tmp_path / "out", skill=None, split="val")
    skill = tmp_path / "skill.md"
    skill.write_text("RULE 0.")
    values = evaluate(resolved, plugins, tmp_path / "out", skill=skill, split="val")
    assert values["right"] == 3

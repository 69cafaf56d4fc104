"""The models of a run: every role bound to one ledger, and the roller that lets the student do tasks."""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path

from reflact.config import Resolved, Role
from reflact.contracts import Env, SupportsBatch
from reflact.engine.calling import all_ways, lasting, model_name
from reflact.engine.inputs import digest
from reflact.engine.ledger import Account
from reflact.engine.progress import Progress
from reflact.engine.roll import Roller, RunBatch
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger, Router, Ways
from reflact.stages.batch import run_batch
from reflact.stages.gate import STRICT, Rule
from reflact.stages.rollout import run_task
from reflact.stages.student import PLAIN, Aim, TaskStudent
from reflact.types import Rollout, Skill, Task


def route(resolved: Resolved, account: Account) -> Router:
    """Build the backend of every role and bind it to one ledger and one budget, which all processes of a run share."""
    ways, notes = all_ways(resolved, account.spent())
    ledger = Ledger(account.add)
    roles = {name: _bound(role, ledger, ways[name]) for name, role in resolved.roles.items()}
    return Router(roles=roles, ledger=ledger, notes=notes)


def _bound(role: Role, ledger: Ledger, ways: Ways) -> Bound:
    """Return the model of *role*; an agent that is not the student chats."""
    chats = role.spec.chat if role.name != "student" else None
    return Bound(
        role=role.name,
        backend=role.backend,
        model_name=model_name(role),
        kind="chat" if chats else role.spec.kind,
        model=role.player(role.settings),
        ledger=ledger,
        ways=ways,
    )


def _batch(env: SupportsBatch, student: Callable[[str, int], TaskStudent], resolved: Resolved) -> RunBatch:
    """Return what lets *env* run many tasks, each with a *student* of its own."""

    def run(
        tasks: Sequence[Task], skill: Skill, workdir: Callable[[Task], Path], stage: str, repeat: int
    ) -> Generator[Rollout, None, None]:
        return run_batch(
            tasks,
            skill,
            env=env,
            student=partial(student, stage, repeat),
            workdir=workdir,
            workers=resolved.run.env.workers,
            retries=resolved.run.evaluation.max_infra_retries,
        )

    return run


def make_roller(
    resolved: Resolved,
    env: Env,
    router: Router,
    prompts: Prompts,
    progress: Progress,
    rule: Rule = STRICT,
    aim: Aim = PLAIN,
) -> Roller:
    """Return what rolls tasks out, with the identity of all that a result depends on besides skill and tasks.

    A probe's tasks may all fail: then there is nothing to analyse, and the run goes on.
    """
    evaluation = resolved.run.evaluation
    role = resolved.roles["student"]
    timeout_s = float(resolved.run.env.exec_timeout)

    def student(stage: str, repeat: int) -> TaskStudent:
        return TaskStudent(
            model=router.role("student"),
            prompts=prompts,
            timeout_s=timeout_s,
            referee=router.roles.get("judge"),
            stage=stage,
            repeat=repeat,
            aim=aim,
            shows_steps=resolved.run.model.codex_trace_to_teacher,
        )

    def run(task: Task, skill: Skill, workdir: Path, stage: str, repeat: int) -> Rollout:
        new = partial(student, stage, repeat)
        return run_task(task, skill, env=env, student=new, workdir=workdir, retries=evaluation.max_infra_retries)

    return Roller(
        run=run,
        batch=_batch(env, student, resolved) if isinstance(env, SupportsBatch) else None,
        stamp={
            "env": resolved.env_spec.name,
            "env_version": resolved.env_spec.version,
            "env_config": digest(resolved.env.model_dump(mode="json")),
            "student": f"{role.backend}:{getattr(role.settings, 'model', '')}",
            "student_settings": digest(lasting(role)),
            "instruction": aim.instruction,
            "resumed_after": aim.resume.after_step if aim.resume else None,
            "prompt": digest(prompts.source("student")),
            **_judged_by(resolved),
        },
        workers=resolved.run.env.workers,
        max_error_rate=1.0 if aim.instruction else evaluation.max_error_rate,
        progress=progress,
        rule=rule,
    )


def _judged_by(resolved: Resolved) -> dict[str, str]:
    """Return the identity of the judge, for an env whose grades depend on one."""
    role = resolved.roles.get("judge") if resolved.judged else None
    return {"judge": digest({"backend": role.backend, **lasting(role)})} if role else {}

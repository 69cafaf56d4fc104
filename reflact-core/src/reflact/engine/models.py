"""The models of a run: every role bound to one ledger, and the roller that lets the student do tasks."""

from pathlib import Path

from reflact.config import Resolved, Role
from reflact.contracts import Env
from reflact.engine.inputs import digest
from reflact.engine.ledger import writer
from reflact.engine.progress import Progress
from reflact.engine.roll import Roller
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger, Router
from reflact.stages.gate import STRICT, Rule
from reflact.stages.rollout import run_task
from reflact.stages.student import TaskStudent
from reflact.types import Rollout, Skill, Task


def route(resolved: Resolved, out_root: Path) -> Router:
    """Build the backend of every role and bind it to one ledger."""
    ledger = Ledger(writer(out_root))
    return Router(roles={name: _bound(role, ledger) for name, role in resolved.roles.items()}, ledger=ledger)


def _bound(role: Role, ledger: Ledger) -> Bound:
    """Return the model of *role*; an agent that is not the student chats."""
    chats = role.spec.chat if role.name != "student" else None
    return Bound(
        role=role.name,
        backend=role.backend,
        model_name=str(getattr(role.settings, "model", role.backend)),
        kind="chat" if chats else role.spec.kind,
        model=(chats or role.spec.build)(role.settings),
        ledger=ledger,
    )


def make_roller(
    resolved: Resolved,
    env: Env,
    router: Router,
    prompts: Prompts,
    progress: Progress,
    rule: Rule = STRICT,
    instruction: str = "",
) -> Roller:
    """Return what rolls tasks out, with the identity of all that a result depends on besides skill and tasks."""
    evaluation = resolved.run.evaluation
    role = resolved.roles["student"]
    timeout_s = float(getattr(resolved.env, "exec_timeout", 600))

    def run(task: Task, skill: Skill, workdir: Path, stage: str, repeat: int) -> Rollout:
        return run_task(
            task,
            skill,
            env=env,
            student=lambda: TaskStudent(
                model=router.role("student"),
                prompts=prompts,
                timeout_s=timeout_s,
                referee=router.roles.get("judge"),
                stage=stage,
                repeat=repeat,
                instruction=instruction,
            ),
            workdir=workdir,
            retries=evaluation.max_infra_retries,
        )

    return Roller(
        run=run,
        stamp={
            "env": resolved.env_spec.name,
            "env_version": resolved.env_spec.version,
            "env_config": digest(resolved.env.model_dump(mode="json")),
            "student": f"{role.backend}:{getattr(role.settings, 'model', '')}",
            "student_settings": digest(role.settings.model_dump(mode="json")),
            "instruction": instruction,
            "prompt": digest(prompts.source("student")),
        },
        workers=resolved.run.env.workers,
        max_error_rate=evaluation.max_error_rate,
        progress=progress,
        rule=rule,
    )

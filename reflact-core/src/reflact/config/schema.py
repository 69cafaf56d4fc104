"""The typed shape of a configuration."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from reflact.config.choices import LR_CONTROL, PAIR_POLICY, UPDATE_MODE, gate_is_on, one_of

Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]


class Config(BaseModel):
    """Base of every section: frozen, unknown keys refused, attribute docstrings are the documentation."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Train(Config):
    """How many steps there are, and which tasks each sees."""

    num_epochs: Positive = 4
    """Passes over the training split."""
    train_size: Count = 0
    """Training tasks per epoch; 0 takes the whole split."""
    batch_size: Positive = 80
    """Tasks the student does in one step, per accumulated part."""
    accumulation: Positive = 1
    """Batches whose proposals are gathered before one update."""
    seed: int = 42
    """Everything random is a function of this and the step."""


class Gradient(Config):
    """How the teacher turns rollouts into proposals."""

    minibatch_size: Positive = 16
    """Rollouts one analyst call sees."""
    merge_batch_size: Annotated[int, Field(ge=2)] = 16
    """Proposals one merge call joins."""
    merge: Literal["teacher", "concat"] = "teacher"
    """`teacher` lets the teacher merge proposals; `concat` takes their union without a call."""
    analyst_workers: Positive = 16
    """Teacher calls at once."""
    max_analyst_rounds: Positive = 3
    """Attempts at a usable analysis per minibatch; each later one is told what was wrong."""
    context_tokens: Count = 0
    """Tokens the teacher can read; trajectories are fitted to it. 0 takes what its backend says, or 128,000."""
    failure_only: bool = False
    """Whether only failed rollouts are analysed."""
    use_deep_reflect: bool = False
    """Whether the teacher may probe tasks again before it proposes."""
    deep_reflect_failures: Count = 4
    """Failed tasks a probe looks at."""
    deep_reflect_successes: Count = 2
    """Successful tasks a probe looks at."""


class Optimizer(Config):
    """How proposals become a candidate skill."""

    learning_rate: Positive = 8
    """Most edits one update may make."""
    min_learning_rate: Positive = 2
    """Where the schedule ends; at most `learning_rate`, and follows it when only that is lowered."""
    lr_scheduler: Literal["constant", "linear", "cosine"] = "cosine"
    """How the number of edits falls from `learning_rate` to `min_learning_rate`."""
    lr_control_mode: Annotated[Literal["fixed", "autonomous", "none"], BeforeValidator(one_of(LR_CONTROL))] = "fixed"
    """Who sets the number of edits: `fixed` the schedule, `autonomous` the teacher; `none` keeps all merged ones."""
    skill_update_mode: Annotated[str, BeforeValidator(one_of(UPDATE_MODE))] = "patch"
    """The update mode, by name: `patch`, `rewrite_from_suggestions`, or one that a plugin brings."""
    use_skill_aware_reflection: bool = False
    """Whether the teacher tells gaps of the skill (edits) from rules that were not followed (notes in an appendix)."""
    skill_aware_appendix_source: Literal["both", "failure_only"] = "both"
    """Which analysts may write such notes."""
    skill_aware_consolidate_threshold: Count = 0
    """More notes than this are said in fewer, by one teacher call; 0 never does."""
    leak_check: Literal["refuse", "off"] = "refuse"
    """`refuse` drops an edit that holds an answer or an id of a task the teacher was shown, and says so."""
    candidates_per_step: Positive = 1
    """Candidate skills made per step; the best one on a screen goes to the gate."""
    screen_size: Positive = 6
    """Tasks the candidates of a step are screened on, when there are several."""
    use_meta_reflect: bool = False
    """Whether an epoch ends with higher-level edits drawn from its accepted and rejected directions."""
    meta_learning_rate: Positive = 8
    """Most edits of that update."""
    use_slow_update: bool = True
    """Whether an epoch ends with guidance drawn from comparing it with the epoch before."""
    slow_update_samples: Positive = 20
    """Training tasks that comparison is made on. More cost two rollouts each and show more; see the benchmarks page."""
    longitudinal_pair_policy: Annotated[
        Literal["mixed", "changed", "unchanged"], BeforeValidator(one_of(PAIR_POLICY))
    ] = "mixed"
    """Which of the compared tasks the teacher sees: all, those whose result changed, or the others."""
    use_meta_skill: bool = True
    """Whether the teacher keeps a memory from epoch to epoch."""

    @model_validator(mode="before")
    @classmethod
    def _let_the_minimum_follow(cls, given: Any) -> Any:
        low = given.get("learning_rate") if isinstance(given, dict) else None
        if isinstance(low, int) and 0 < low < 2 and "min_learning_rate" not in given:
            return {**given, "min_learning_rate": int(low)}
        return given

    @field_validator("min_learning_rate")
    @classmethod
    def _minimum_is_below(cls, low: int, info: Any) -> int:
        high = info.data.get("learning_rate")
        if high is not None and low > high:
            raise ValueError(f"must be at most optimizer.learning_rate, which is {high}")
        return low


class Evaluation(Config):
    """How a candidate is judged."""

    use_gate: Annotated[bool, BeforeValidator(gate_is_on)] = True
    """The gate is always on; the key exists to say so."""
    gate_metric: Literal["hard", "soft", "mixed"] = "hard"
    """What the gate compares: success, partial credit, or a mixture. Selection scores are in this metric."""
    gate_mixed_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    """The share of partial credit in the metric `mixed`."""
    gate_epsilon: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """By how much a candidate has to beat the current skill; 0 is the published rule, strictly better."""
    gate_no_regression: bool = False
    """Whether a candidate is refused that does worse on any single selection task. With a student that is not the same
    from call to call almost every candidate does; see the benchmarks page."""
    gate_repeats: Positive = 1
    """How often each selection task is done; the mean counts, and the cost grows with it."""
    sel_env_num: Count = 0
    """Selection tasks a candidate is scored on; 0 takes the whole split."""
    test_env_num: Count = 0
    """Test tasks of the final evaluation; 0 takes the whole split."""
    eval_test: bool = True
    """Whether the run ends with the baseline and the best skill on the test split."""
    max_error_rate: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Share of tasks that may fail for reasons of infrastructure before a stage stops."""
    max_infra_retries: Count = 1
    """Further attempts at a task that failed for such a reason."""


class EnvCommon(Config):
    """What the core reads of section `env`; every other key belongs to the env itself."""

    name: Annotated[str, Field(min_length=1)]
    """The benchmark, by name."""
    skill_init: str = ""
    """The skill file to start from; empty takes the env's own."""
    out_root: str = ""
    """The run's folder; empty makes a new one under `outputs/`."""
    workers: Positive = 16
    """Tasks done at once."""
    exec_timeout: Positive = 120
    """Seconds a command-line agent may work on one task."""

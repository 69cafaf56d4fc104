"""What a plugin implements, and the records it registers itself with."""

from reflact.contracts.envs import (
    Env,
    Regrades,
    Student,
    SupportsBatch,
    SupportsCheck,
    SupportsPlay,
    SupportsReference,
    SupportsSubmission,
)
from reflact.contracts.events import EpochRecord, RunInfo, StageDone, StepRecord, Summary
from reflact.contracts.models import Access, ChatModel, ExaminesItself, ExecAgent, Finding
from reflact.contracts.modes import Ask, ExplainsMisses, UpdateMode
from reflact.contracts.specs import BackendSpec, EnvSpec, PromptPack, UpdateModeSpec
from reflact.contracts.words import BOTH, CHAT_ONLY, Ability, Kind, Level, RoleName

__all__ = [
    "BOTH",
    "CHAT_ONLY",
    "Ability",
    "Access",
    "Ask",
    "BackendSpec",
    "ChatModel",
    "Env",
    "EnvSpec",
    "EpochRecord",
    "ExaminesItself",
    "ExecAgent",
    "ExplainsMisses",
    "Finding",
    "Kind",
    "Level",
    "PromptPack",
    "Regrades",
    "RoleName",
    "RunInfo",
    "StageDone",
    "StepRecord",
    "Student",
    "Summary",
    "SupportsBatch",
    "SupportsCheck",
    "SupportsPlay",
    "SupportsReference",
    "SupportsSubmission",
    "UpdateMode",
    "UpdateModeSpec",
]

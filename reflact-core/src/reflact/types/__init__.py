"""The data that flows through a run. Everything is frozen; nothing here does I/O."""

from reflact.types.calls import (
    ChatReply,
    ChatRequest,
    ExecJob,
    ExecResult,
    Finish,
    Image,
    Message,
    Text,
    Tool,
    ToolCall,
)
from reflact.types.change import Decision, Edit, Failure, Flips, ItemReport, Op, Proposal, Source, Update
from reflact.types.state import Batch, Memory, RunState, StepDigest
from reflact.types.task import UNSCORED, Outcome, Rollout, Score, Scored, Skill, Split, Task, Usage, total_usage

__all__ = [
    "UNSCORED",
    "Batch",
    "ChatReply",
    "ChatRequest",
    "Decision",
    "Edit",
    "ExecJob",
    "ExecResult",
    "Failure",
    "Finish",
    "Flips",
    "Image",
    "ItemReport",
    "Memory",
    "Message",
    "Op",
    "Outcome",
    "Proposal",
    "Rollout",
    "RunState",
    "Score",
    "Scored",
    "Skill",
    "Source",
    "Split",
    "StepDigest",
    "Task",
    "Text",
    "Tool",
    "ToolCall",
    "Update",
    "Usage",
    "total_usage",
]

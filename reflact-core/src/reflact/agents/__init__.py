"""What every command-line agent needs around it: a workspace, a private home, a process that ends, a record."""

from reflact.agents.artifacts import EVENTS, RESULT, keep
from reflact.agents.environment import minimal
from reflact.agents.faults import fault_of
from reflact.agents.private import MARKER, Private, private_folder
from reflact.agents.process import Command, Ended, run
from reflact.agents.program import Program, ask, examined, find
from reflact.agents.secrets import Secrets, long_texts
from reflact.agents.skillfile import SKILL_NAME, render_skill
from reflact.agents.steps import Step, cleaned, entries
from reflact.agents.summary import summarise, transcript
from reflact.agents.workspace import WORKSPACE, Workspace, prepare

__all__ = [
    "EVENTS",
    "MARKER",
    "RESULT",
    "SKILL_NAME",
    "WORKSPACE",
    "Command",
    "Ended",
    "Private",
    "Program",
    "Secrets",
    "Step",
    "Workspace",
    "ask",
    "cleaned",
    "entries",
    "examined",
    "fault_of",
    "find",
    "keep",
    "long_texts",
    "minimal",
    "prepare",
    "private_folder",
    "render_skill",
    "run",
    "summarise",
    "transcript",
]

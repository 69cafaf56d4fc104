"""Running programs that a model wrote: no network, no file but its own, and bounds that hold."""

from reflact.kit.sandbox.choose import Kind, sandbox
from reflact.kit.sandbox.job import Job, Limits, Ran, Sandbox
from reflact.kit.sandbox.surroundings import python

__all__ = ["Job", "Kind", "Limits", "Ran", "Sandbox", "python", "sandbox"]

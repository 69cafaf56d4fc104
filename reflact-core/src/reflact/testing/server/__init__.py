"""A fake model server on the loopback, to test backends and whole runs through the real SDKs."""

from reflact.testing.server.script import FakeReply, FakeRequest, Script
from reflact.testing.server.serving import FakeModelServer

__all__ = ["FakeModelServer", "FakeReply", "FakeRequest", "Script"]

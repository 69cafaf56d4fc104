from reflact.testing import BackendContract


class TestClaudeChat(BackendContract):
    name = "claude_chat"

from reflact.testing import BackendContract


class TestOpenAIChat(BackendContract):
    name = "openai_chat"

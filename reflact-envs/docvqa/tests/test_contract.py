"""docvqa keeps what every env promises."""

from reflact.testing import EnvContract


class TestDocVQA(EnvContract):
    name = "docvqa"

"""babyvision keeps what every env promises."""

from reflact.testing import EnvContract


class TestBabyVision(EnvContract):
    name = "babyvision"

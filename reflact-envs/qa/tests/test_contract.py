"""qa keeps what every env promises."""

from reflact.testing import EnvContract


class TestQA(EnvContract):
    name = "qa"

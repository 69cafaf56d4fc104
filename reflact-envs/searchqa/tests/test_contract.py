"""searchqa keeps what every env promises."""

from reflact.testing import EnvContract


class TestSearchQA(EnvContract):
    name = "searchqa"

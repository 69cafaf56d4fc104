"""officeqa keeps what every env promises."""

from reflact.testing import EnvContract


class TestOfficeQA(EnvContract):
    name = "officeqa"

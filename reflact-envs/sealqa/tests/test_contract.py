"""sealqa keeps what every env promises."""

from reflact.testing import EnvContract


class TestSealQA(EnvContract):
    name = "sealqa"

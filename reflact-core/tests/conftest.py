"""Generated tests are the same every time and may take as long as a busy machine needs."""

from hypothesis import settings

settings.register_profile("reflact", deadline=None, derandomize=True)
settings.load_profile("reflact")

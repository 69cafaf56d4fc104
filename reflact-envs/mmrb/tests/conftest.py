"""Made-up questions, written once for all tests."""

from pathlib import Path

import pytest
from reflact_env_mmrb.sample import write_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty items in two sub-task folders, in the official layout; not to be changed."""
    folder = tmp_path_factory.mktemp("mmrb")
    write_sample(folder, 20, 7)
    return folder

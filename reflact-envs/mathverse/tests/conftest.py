"""Made-up problems, written once for all tests."""

from pathlib import Path

import pytest
from reflact_env_mathverse.sample import write_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty-four problems in the official layout; not to be changed."""
    folder = tmp_path_factory.mktemp("mathverse")
    write_sample(folder, 24, 7)
    return folder

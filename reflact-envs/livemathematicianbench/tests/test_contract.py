"""livemathematicianbench keeps what every env promises."""

import pytest
from reflact.testing import EnvContract

pytestmark = pytest.mark.filterwarnings("ignore:livemathematicianbench. one choice says:RuntimeWarning")


class TestLiveMathematicianBench(EnvContract):
    name = "livemathematicianbench"

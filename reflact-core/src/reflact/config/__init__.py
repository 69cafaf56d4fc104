"""Configuration: from files and overrides to a frozen, validated `Resolved`."""

from reflact.config.flat import OPERATIONAL, differences, flat
from reflact.config.model import Model
from reflact.config.resolve import Resolved, load, resolve
from reflact.config.roles import Role
from reflact.config.run import RunConfig
from reflact.config.schema import Config, EnvCommon, Evaluation, Gradient, Optimizer, Train
from reflact.config.split import SplitConfig

__all__ = [
    "OPERATIONAL",
    "Config",
    "EnvCommon",
    "Evaluation",
    "Gradient",
    "Model",
    "Optimizer",
    "Resolved",
    "Role",
    "RunConfig",
    "SplitConfig",
    "Train",
    "differences",
    "flat",
    "load",
    "resolve",
]

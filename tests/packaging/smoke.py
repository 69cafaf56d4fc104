"""Run in a clean environment with a distribution, its package and its extras: all of it can be imported and used.

An env whose sample data, or which itself, takes one of its extras says so, and is left at that.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

from reflact.errors import ConfigError
from reflact.kit.check import check_env
from reflact.llm.prompts import Prompts
from reflact.plugins import Plugins

distribution, package, extras = sys.argv[1], importlib.import_module(sys.argv[2]), json.loads(sys.argv[3])
for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
    if not {"__main__", *extras} & set(module.name.split(".")):
        importlib.import_module(module.name)

plugins = Plugins()
for one in [one for one in plugins.announced() if one.distribution == distribution]:
    spec = plugins.observers() if one.slot == "observers" else plugins.get(one.slot, one.name)
    if one.slot == "envs":
        assert spec.initial_skill is None or spec.initial_skill.read_text(encoding="utf-8").strip()
        assert spec.prompts is None or Prompts((spec.prompts,)).names()
        try:
            spec.sample(Path("sample"), 24, 7)
            env = spec.build(spec.config(data_path="sample", split_ratio="1:1:1"))
        except ConfigError as error:
            assert f'pip install "{distribution}[' in str(error), error
            print(one.slot, one.name)
            continue
        errors = [found for found in check_env(env, spec, workdir=Path("work")) if found.level == "error"]
        assert not errors, errors
    print(one.slot, one.name)

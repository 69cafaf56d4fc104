"""The prompt comparison of old: `reflact eval` on SpreadsheetBench with our own prompt."""

import sys

from reflact_cli.main import main

CONFIG = "configs/spreadsheetbench/default.yaml"

given = sys.argv[1:]
names = {word.partition("=")[0] for word in given}
config = [] if "--config" in names or any(word.endswith((".yaml", ".yml")) for word in given) else ["--config", CONFIG]
sys.exit(main(["eval", "--prompt", "custom", *config, *given]))

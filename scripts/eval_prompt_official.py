"""The prompt comparison of old: `reflact eval` on SpreadsheetBench with the benchmark's own kind of prompt.

Without a skill unless `--skill` names one.
"""

import sys

from reflact_cli.main import main

CONFIG = "configs/spreadsheetbench/default.yaml"

given = sys.argv[1:]
names = {word.partition("=")[0] for word in given}
without = [] if names & {"--skill", "--no-skill"} else ["--no-skill"]
config = [] if "--config" in names or any(word.endswith((".yaml", ".yml")) for word in given) else ["--config", CONFIG]
sys.exit(main(["eval", "--prompt", "official", *config, *without, *given]))

"""The training entry point of old: `python scripts/train.py --config FILE …` is `reflact train`."""

import sys

from reflact_cli.main import main

sys.exit(main(["train", *sys.argv[1:]]))

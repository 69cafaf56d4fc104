"""The evaluation entry point of old: `reflact eval`, on all splits unless `--split` names one."""

import sys

from reflact_cli.main import main

named = any(word.partition("=")[0] == "--split" for word in sys.argv[1:])
sys.exit(main(["eval", *([] if named else ["--split", "all"]), *sys.argv[1:]]))

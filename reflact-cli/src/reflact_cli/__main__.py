"""`python -m reflact_cli` is `reflact`."""

import sys

from reflact_cli.main import main

sys.exit(main())

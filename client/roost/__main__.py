"""`python -m roost`: the same as the `roost` script."""

import sys

from roost.cli import main

sys.exit(main())

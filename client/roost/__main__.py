"""The `roost` command, and `python -m roost`: the same.

Until a verb runs ctrl-c ends the process as it ends any other: there is nothing to put in order yet, and Python's own way would be a
traceback out of the middle of an import.
"""

# The C part of `signal`, which is there from the start: importing the rest of it would leave the very gap that is closed here.
import _signal  # type: ignore[import-not-found]

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import sys

from roost.cli import main

if __name__ == "__main__":
    sys.exit(main())

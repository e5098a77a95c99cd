"""How many columns a character takes, as xterm counts (Unicode 11 rules, one code point at a time)."""

import re
import unicodedata
from functools import lru_cache

from pyte.screens import wcwidth

# Runs of characters that take one column each beyond doubt, so that they can be drawn in one operation.
NARROW = re.compile(
    "[ -~\u00a0-\u02ff\u0370-\u0377\u037a-\u037f\u0388-\u038a\u0391-\u03a1\u03a3-\u0482\u048a-\u052f"
    "\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc\u2800-\u28ff\u276d-\u2794\ufffd]+"
)


@lru_cache(maxsize=4096)
def width(char: str) -> int:
    """0, 1 or 2 columns. Unassigned and unprintable characters that got this far take none."""
    if unicodedata.category(char) == "Mc":
        return 1
    return max(0, wcwidth(char))

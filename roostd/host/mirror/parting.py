"""What a program leaves behind on a person's terminal that no reset of modes undoes, and what undoes it. Pure."""

from collections.abc import Collection

_TAB_WIDTH = 8
_POINTER = "\x1b]22;text\x1b\\\x1b]22;\x1b\\"  # the usual one for those who know no default


def default_stops(columns: int) -> set[int]:
    """The tab stops of a terminal of so many columns that nobody has changed."""
    return set(range(_TAB_WIDTH, columns, _TAB_WIDTH))


def tab_stops(stops: Collection[int], columns: int) -> str:
    """Sets the usual tab stops where `stops` are others; the cursor stays. DECST8C at the end is for those who have more columns."""
    usual = default_stops(columns)
    if {stop for stop in stops if stop < columns} == usual:
        return ""
    return "\x1b7\x1b[3g" + "".join(f"\x1b[{stop + 1}G\x1bH" for stop in sorted(usual)) + "\x1b[?5W\x1b8"


def progress(shown: bool) -> str:
    """Takes away what a program shows of how far it is."""
    return "\x1b]9;4;0\x1b\\" if shown else ""


def pointer(shape: str) -> str:
    """Gives the pointer its usual shape where a program has set one."""
    return _POINTER if shape else ""

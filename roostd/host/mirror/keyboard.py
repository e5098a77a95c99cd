"""What a program asked of the keyboard: kitty's protocol, a stack per screen, and xterm's modifyOtherKeys."""

MAX_DEPTH = 16
FLAGS_MASK = 0b11111


class KittyStack:
    """The flags in force and those they will fall back to (kitty's "comprehensive keyboard handling")."""

    __slots__ = ("_saved", "flags")

    def __init__(self) -> None:
        self.flags = 0
        self._saved: list[int] = []

    def push(self, flags: int) -> None:
        """Put `flags` in force over the present ones; a full stack forgets its oldest."""
        self._saved = [*self._saved, self.flags][-MAX_DEPTH:]
        self.flags = flags & FLAGS_MASK

    def pop(self, count: int) -> None:
        """Fall back by `count` levels; below the last there are no flags."""
        for _ in range(min(count, len(self._saved) + 1)):
            self.flags = self._saved.pop() if self._saved else 0

    def change(self, flags: int, how: int) -> None:
        """Replace (1), add to (2) or take from (3) the flags in force."""
        flags &= FLAGS_MASK
        if how == 1:
            self.flags = flags
        elif how == 2:
            self.flags |= flags
        elif how == 3:
            self.flags &= ~flags

    def hear(self, kind: str, values: tuple[int, ...]) -> None:
        """`CSI > flags u`, `CSI < count u` or `CSI = flags ; how u`, of which `kind` is what is no number."""
        first = values[0] if values else 0
        if kind == ">u":
            self.push(first)
        elif kind == "<u":
            self.pop(first or 1)
        else:
            self.change(first, values[1] if len(values) > 1 else 1)

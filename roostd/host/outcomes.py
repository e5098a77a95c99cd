"""What became of each text or keys to type, remembered by id, so that asking again answers and never types twice. Pure."""

from __future__ import annotations

from roost_protocol.host import Typed

LIMIT = 10_000
"""Ids remembered; over it the oldest that is not pending goes."""


class Outcomes:
    """`begin` an id once; `settle` it once. `answer` is what a retry gets."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, Typed] = {}

    def answer(self, name: str) -> Typed | None:
        return self._known.get(name)

    def begin(self, name: str) -> None:
        self._known[name] = Typed(name, "pending")
        if len(self._known) > LIMIT:
            oldest = next((known for known in self._known.values() if known.outcome != "pending"), None)
            if oldest:
                del self._known[oldest.id]

    def settle(self, typed: Typed) -> None:
        self._known[typed.id] = typed

    @property
    def all(self) -> list[Typed]:
        return list(self._known.values())

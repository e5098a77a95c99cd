"""What was pressed: bytes of a terminal in any chunking become keys. Pure."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

PASTE_BEGIN: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"

NAMES: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "ctrl+c",
    "\x04": "ctrl+d",
    "\x15": "ctrl+u",
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1b": "esc",
}

_TOKEN = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[@-~]|\x1b[^\[O]|[\x00-\x1a\x1c-\x1f\x7f]|[^\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its name; `text` (typed) and `paste` carry what was entered. What the demo does not know is `other`."""

    name: str
    text: str = ""


class Keys:
    """Collects bytes and gives out keys. An escape sequence or paste that is not whole yet is kept."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def pending(self) -> bool:
        """Whether an escape may be a key of its own or the begin of a sequence: only time tells."""
        return self._rest.startswith("\x1b") and not self._rest.startswith(PASTE_BEGIN)

    def feed(self, data: bytes) -> list[Key]:
        self._rest += self._decoder.decode(data)
        found = []
        while self._rest and (key := self._next()):
            found.append(key)
        return found

    def flush(self) -> list[Key]:
        """Nothing followed: the escape was a key."""
        rest, self._rest = self._rest, ""
        return [Key("esc")] if rest == "\x1b" else [Key("other")]

    def _next(self) -> Key | None:
        if self._rest.startswith(PASTE_BEGIN):
            text, end, rest = self._rest[len(PASTE_BEGIN) :].partition(PASTE_END)
            if not end:
                return None
            self._rest = rest
            return Key("paste", text.replace("\r\n", "\n").replace("\r", "\n"))
        token = _TOKEN.match(self._rest)
        if not token:
            return None
        self._rest = self._rest[token.end() :]
        if token[0] in NAMES:
            return Key(NAMES[token[0]])
        return Key("other") if token[0][0] < " " or token[0] == "\x7f" else Key("text", token[0])

"""Finds the detach key in what a person types. Pure: bytes and times go in, the bytes to pass on and "detach" come out.

A key comes as its plain byte, as `CSI code;modifiers u` (kitty's keyboard protocol) or as `CSI 27;modifiers;code ~` (xterm's
modifyOtherKeys): the agent decides which, so all three are known. Everything else passes through at once, byte for byte;
only the beginning of a sequence that may still become the key is kept back, for a moment.
"""

from __future__ import annotations

import re

from roost_protocol.errors import RoostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ALONE = 0.25
"""Seconds in which the same key again means the key itself; then it detaches, or at once with any other key."""
SECOND_KEY = 1.0
"""Seconds in which the second key of two must come; then the first one is passed on."""
SPLIT = 0.05
"""Seconds for the rest of a sequence that was cut in two on its way."""

DEFAULT = "ctrl-\\"

PASTE_BEGIN = b"\x1b[200~"
PASTE_END = b"\x1b[201~"

_CTRL = 4
_LOCKS = 64 + 128  # caps lock and num lock, in kitty's modifier bits
_CSI = re.compile(rb"\x1b\[[0-9:;<=>?]*[ -/]*[@-~]")
_CUT = re.compile(rb"\x1b(?:\[[0-9:;<=>?]*[ -/]*)?\Z")
_LONGEST_CUT = 64
_NO_PRESS = re.compile(
    rb"\x1b\[(?:[<>?=].*|[MIO]|[0-9;]*[nty]"  # mouse, focus, answers
    rb"|574(?:4[1-9]|5[0-4])\b.*u"  # kitty's codes of shift, ctrl and so on by themselves
    rb"|[0-9:]*;[0-9]*:[23](?:;[0-9:]*)?[u~A-HP-S])\Z",  # kitty's repeats and releases
    re.DOTALL,
)
_NOT_TYPED = re.compile(
    rb"\x1b\[200~.*?(?:\x1b\[201~|\Z)"  # a paste: without its marks its lines would be commands
    rb"|\x1b[\]P_^].*?(?:\x07|\x1b\\|\Z)|\x1b\[M...|\x1b\[[0-9:;<=>?]*[ -/]*(?:[@-~]|\Z)|\x1bO.|\x1b",
    re.DOTALL,
)


def plain(data: bytes) -> bytes:
    """What of the bytes from a keyboard is text, or one of the keys that are a single byte: no sequence, be it a key or a report."""
    return _NOT_TYPED.sub(b"", data)


class Key:
    """One key: its character's code point, and whether control is held."""

    def __init__(self, code: int, ctrl: bool) -> None:
        self.code = code
        self.modifiers = _CTRL if ctrl else 0
        self.byte = bytes([code & 0x1F if ctrl else code])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.code, self.modifiers) == (other.code, other.modifiers)

    def __hash__(self) -> int:
        return hash((self.code, self.modifiers))

    def is_sequence(self, sequence: bytes) -> bool:
        """Whether a whole CSI sequence is a press of this key; lock keys do not matter."""
        final, fields = sequence[-1:], sequence[2:-1].split(b";")
        if final == b"~" and len(fields) == 3 and fields[0] == b"27":
            return self._matches(fields[2], fields[1])
        return final == b"u" and self._matches(fields[0], fields[1] if len(fields) > 1 else b"1")

    def may_begin(self, cut: bytes) -> bool:
        """Whether what follows the `CSI` of a cut sequence may still become this key."""
        first, separator, _ = cut.replace(b":", b";").partition(b";")
        codes = (str(self.code).encode(), b"27")
        return first in codes if separator else any(code.startswith(first) for code in codes)

    def _matches(self, code: bytes, modifiers: bytes) -> bool:
        held, _, event = modifiers.partition(b":")
        number, mask = _number(code.split(b":")[0]), _number(held or b"1")
        if event not in (b"", b"1") or number is None or not mask:
            return False
        return number == self.code and (mask - 1) & ~_LOCKS == self.modifiers


def parse(text: str) -> tuple[Key, ...]:
    """The detach key as a person writes it: `ctrl-\\`, or two keys, `ctrl-a d`. Raises RoostError for anything else."""
    words = text.split()
    if not 1 <= len(words) <= 2:
        raise _not_a_key(text)
    keys = tuple(_parse_key(word, text) for word in words)
    if not keys[0].modifiers:
        raise _not_a_key(text)
    return keys


class DetachFilter:
    """Stands between the person's keyboard and the job. `feed` and `expire` give the bytes to pass on, and whether to detach.

    What was typed `behind` a key that detached is not the job's any more.
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        self._first = keys[0]
        self._second = keys[1] if len(keys) > 1 else None
        self._marks = re.compile(b"|".join(re.escape(byte) for byte in {b"\x1b", *(key.byte for key in keys)}))
        self._pasting = False
        self._cut = b""
        self._passed = 0  # so many bytes of the cut sequence have been passed on already
        self._cut_until: float | None = None
        self._pressed: bytes | None = None
        self._pressed_until = 0.0
        self.behind = b""

    @property
    def armed(self) -> bool:
        """Whether the next key decides, whichever it is: so no more than that should be read."""
        return self._pressed is not None and self._second is None

    @property
    def deadline(self) -> float | None:
        """When `expire` must be called, if nothing is typed before."""
        if self._cut_until is None and self._pressed is None:
            return None
        waiting = [at for at in (self._cut_until, self._pressed_until if self._pressed is not None else None) if at is not None]
        return min(waiting, default=None)

    def expire(self, now: float) -> tuple[bytes, bool]:
        """What follows from nothing having been typed until `now`."""
        if self.armed:
            detach = now >= min(self._pressed_until, self._cut_until or self._pressed_until)
            self.behind = self._cut if detach else b""
            return b"", detach
        out = b""
        if self._cut_until is not None and now >= self._cut_until:
            out = self._cut[self._passed :]
            self._passed = len(self._cut)
            self._cut_until = None
        if self._pressed is None or now < self._pressed_until:
            return out, False
        out, self._pressed = self._pressed + out, None
        return out, False

    def feed(self, data: bytes, now: float) -> tuple[bytes, bool]:
        """What was typed, in any chunking."""
        if not self._cut and self._pressed is None and not self._pasting and not self._marks.search(data):
            return data, False
        early, detach = self.expire(now)
        if detach:
            self.behind += data
            return early, True
        out = bytearray(early)
        buffer, passed = self._cut + data, self._passed
        self._cut, self._passed, self._cut_until = b"", 0, None
        at = 0
        while at < len(buffer):
            end, key = self._token(buffer, at)
            if end is None:
                self._keep(buffer[at:], max(0, passed - at), now, out)
                break
            bytes_of_it = buffer[max(at, passed) : end]
            if key is None and self.armed:
                if not _NO_PRESS.match(buffer, at, end):
                    self.behind = buffer[at:]
                    return bytes(out), True
            elif key is None:
                self._pass(bytes_of_it, out)
            elif self._press(key, bytes_of_it, now, out):
                return bytes(out), True
            at = max(end, at + 1)
        return bytes(out), False

    def _token(self, buffer: bytes, at: int) -> tuple[int | None, Key | None]:
        """Where the token that begins at `at` ends, and the key it is; no end for one that is cut off."""
        if self._pasting:
            return self._token_of_paste(buffer, at), None
        mark = self._mark(buffer, at)
        if mark != at:
            return mark, None
        if buffer[at] != 0x1B:
            return at + 1, self._key_of(buffer[at : at + 1])
        if sequence := _CSI.match(buffer, at):
            self._pasting = sequence.group() == PASTE_BEGIN
            return sequence.end(), self._key_of(sequence.group())
        if len(buffer) - at <= _LONGEST_CUT and _CUT.match(buffer, at):
            return None, None
        return at + 1, None

    def _token_of_paste(self, buffer: bytes, at: int) -> int | None:
        found = buffer.find(PASTE_END, at)
        if found >= 0:
            self._pasting = False
            return found + len(PASTE_END)
        kept = next((size for size in range(min(len(PASTE_END) - 1, len(buffer) - at), 0, -1) if PASTE_END.startswith(buffer[-size:])), 0)
        return len(buffer) - kept if len(buffer) - kept > at else None

    def _mark(self, buffer: bytes, at: int) -> int:
        mark = self._marks.search(buffer, at)
        return mark.start() if mark else len(buffer)

    def _key_of(self, form: bytes) -> Key | None:
        for key in (self._first, self._second):
            if key is not None and (form == key.byte or (len(form) > 2 and key.is_sequence(form))):
                # The second key is an ordinary letter: it means something behind the first one only.
                return key if key == self._first or self._pressed is not None else None
        return None

    def _keep(self, cut: bytes, passed: int, now: float, out: bytearray) -> None:
        """A sequence without its end: watched, and kept back only if it may become the key. A lone ESC never waits: it is a key itself.

        While the next key decides it always is kept back.
        """
        self._cut, self._passed = cut, passed
        if self.armed:
            self._cut_until = now + SPLIT
            return
        keys = [key for key in (self._first, self._second) if key is not None]
        if not self._pasting and len(cut) > 1 and any(key.may_begin(cut[2:]) for key in keys):
            self._cut_until = now + SPLIT
        else:
            self._pass(cut[passed:], out)
            self._passed = len(cut)

    def _pass(self, data: bytes, out: bytearray) -> None:
        if self._second is not None and self._pressed is not None and data:
            out += self._pressed
            self._pressed = None
        out += data

    def _press(self, key: Key, form: bytes, now: float, out: bytearray) -> bool:
        """A press of one of the keys; whether it detaches."""
        if self._pressed is None:
            self._pressed = form
            self._pressed_until = now + (ALONE if self._second is None else SECOND_KEY)
            return False
        if key == self._second:
            return True
        out += self._pressed
        self._pressed = None
        return False


def _number(digits: bytes) -> int | None:
    return int(digits) if digits.isdigit() and len(digits) < 10 else None


def _parse_key(word: str, text: str) -> Key:
    lower = word.lower()
    if lower.startswith(("ctrl-", "ctrl+")) and len(lower) == 6 and lower[5] in "abcdefghijklmnopqrstuvwxyz@[\\]^_":
        if lower[5] == "[":
            raise RoostError("bad_request", f"the detach key {text!r} is the escape key to a terminal: choose another one")
        return Key(ord(lower[5]), ctrl=True)
    if len(word) == 1 and word.isascii() and word.isprintable():
        return Key(ord(word), ctrl=False)
    raise _not_a_key(text)


def _not_a_key(text: str) -> RoostError:
    return RoostError("bad_request", f"the detach key {text!r} is none: write `ctrl-\\`, `ctrl-b`, or two keys such as `ctrl-a d`")

"""An agent that asks its terminal everything a terminal may be asked, and writes down all that it is told.

    python asker.py FILE

Each question is written together with DSR 5, whose answer (`CSI 0 n`) comes behind its own. FILE gets JSON: question and answer for
each, then what came unasked in the second after the last of them.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
import tty
from pathlib import Path

FENCE, FENCED = b"\x1b[5n", b"\x1b[0n"
QUESTIONS = [
    *(b"\x1b[" + tail for tail in (b"c", b">c", b"=c", b"6n", b"?6n", b"?996n", b"?2026$p", b"?1004$p", b"4$p", b">q", b"?u", b"?4m")),
    *(b"\x1b[" + tail for tail in (b"14t", b"16t", b"18t", b"11t", b"13t", b"19t", b"20t", b"21t", b"x", b"?25n", b"?15n", b"?1;1;0S")),
    *(b"\x1b[" + tail for tail in (b"1;1;1;1;2;2*y", b"1$w", b"&u", b"#R")),
    *(
        b"\x1b]" + body + b"\x1b\\"
        for body in (b"10;?", b"11;?", b"12;?", b"4;1;?", b"4;300;?", b"7501;?", b"50;?", b"52;c;?", b"22;?__current__")
    ),
    *(b"\x1b]" + body + b"\x07" for body in (b"10;?;?", b"17;?", b"1337;ReportCellSize", b"21;foreground=?", b"5;0;?")),
    *(b"\x1bP" + body + b"\x1b\\" for body in (b"$qm", b"$qr", b"$q q", b"$qz", b"+q544e")),
    b"\x1b_Gi=1,a=q,s=1,v=1;AAAA\x1b\\",
    b"\x1bZ",
    b"\x05",
    b"\xc2\x9bc",
    b"\xc2\x9d11;?\x07",
]


def main() -> None:
    tty.setraw(0)
    answers = [[question.decode("latin-1"), ask(question).decode("latin-1")] for question in QUESTIONS]
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
        json.dump([*answers, read(time.monotonic() + 1.0, b"").decode("latin-1")], file)
    Path(sys.argv[1] + ".new").rename(sys.argv[1])
    os.write(1, b"asked\r\n")
    os.read(0, 1)


def ask(question: bytes) -> bytes:
    os.write(1, question + FENCE)
    return read(time.monotonic() + 20.0, FENCED).removesuffix(FENCED)


def read(deadline: float, end: bytes) -> bytes:
    """Until `end` has come, or until the deadline if there is none."""
    told = b""
    while not (end and told.endswith(end)):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([0], [], [], left)[0]:
            break
        told += os.read(0, 65536)
    return told


if __name__ == "__main__":
    main()

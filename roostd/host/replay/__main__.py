"""`python -P -m roostd.host.replay [options] < FILE`: one JSON object, as a host answers for its screen, and with it `replies`.

`replies` is base64, one for each write. One line on stderr and exit code 2 where the file is broken, 1 where it cannot be played, 3 where
the engine cannot be had.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys

from roost_protocol.errors import EXIT_NO, EXIT_USAGE
from roost_protocol.text import printable
from roostd.host import screenshot
from roostd.host.mirror import engines
from roostd.host.replay.play import play
from roostd.host.replay.recording import BrokenRecording, read, size


class NoEngine(Exception):
    """Another one would show something else than was asked for."""


def main(argv: list[str] | None = None) -> int:
    """What stdin holds, played to its end."""
    options = _parser().parse_args(argv)
    try:
        answer = _played(options)
    except BrokenRecording as error:
        return _failed(str(error), EXIT_USAGE)
    except OSError as error:
        return _failed(str(error), EXIT_NO)
    except NoEngine as error:
        return _failed(str(error), 3)
    json.dump(answer, sys.stdout)
    return 0


def _played(options: argparse.Namespace) -> dict[str, object]:
    if options.engine and (why := engines.why_not(options.engine)):
        raise NoEngine(f"--engine: {options.engine} cannot be had: {why}")
    recording = read(sys.stdin.buffer)
    cols, rows = options.size or (recording.cols, recording.rows)
    mirror = engines.create(cols, rows, options.engine)
    replies = play(mirror, recording.steps)
    shown = screenshot.screen(mirror, ansi=options.ansi, lines=options.lines, cells=options.cells)
    return {**shown, "replies": [base64.b64encode(reply).decode() for reply in replies]}


def _failed(message: str, status: int) -> int:
    sys.stderr.write(f"{printable(message)}\n")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m roostd.host.replay")
    parser.add_argument("--size", type=size, help="the size to begin with, as in 80x24")
    parser.add_argument("--engine", help="which engine mirrors")
    parser.add_argument("--ansi", action="store_true", help="rows with colours and links")
    parser.add_argument("--lines", type=int, default=0, help="so many rows of history in front")
    parser.add_argument("--cells", action="store_true", help="the cells as well")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -P -m roostd.host.replay.explain [options] NAME < FILE`: what the arbiter would have made of a recording, one JSON object a line.

`{"t", "state", "signal", "detail", "evidence"}` for each transition, `evidence` as a host answers for its job, `at` and `t` in seconds
after the recording's beginning. Exit code 1, 2 or 3 and one line on stderr where it cannot be done (see docs/cli.md); NAME is what the
file is called there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from roost_protocol.errors import EXIT_NO, RoostError, exit_code
from roost_protocol.host import Detection
from roost_protocol.text import printable
from roostd import config
from roostd.host.mirror import engines
from roostd.host.replay.observed import EVIDENCE, Observed, Transition
from roostd.host.replay.recording import BrokenRecording, read, size
from roostd.profiles import detection


def main(argv: list[str] | None = None) -> int:
    """The timeline of one file on stdout."""
    options = _parser().parse_args(argv)
    try:
        for transition in _transitions(options):
            sys.stdout.write(json.dumps(as_json(transition)) + "\n")
    except RoostError as error:
        return _failed(error.message, exit_code(error.code))
    except OSError as error:
        return _failed(f"{options.name}: {error.strerror or error}", EXIT_NO)
    return 0


def as_json(transition: Transition) -> dict[str, Any]:
    """A transition with its evidence, strongest first."""
    said = [
        {"signal": finding.signal, "says": finding.state, "detail": finding.detail, "at": finding.at, "won": won, "why": why}
        for finding, why, won in transition.findings
    ]
    head = {"t": round(transition.at, 3), "state": transition.state, "signal": transition.signal, "detail": transition.detail}
    return {**head, "evidence": said}


def _transitions(options: argparse.Namespace) -> Iterator[Transition]:
    """Those of stdin. RoostError `not_found` where there is no such agent, `bad_request` where it is no recording."""
    wanted = detection(config.resolve(options.agent, config.load(os.environ))) if options.agent else Detection()
    try:
        recording = read(sys.stdin.buffer)
        if recording.kind == "bytes":
            raise BrokenRecording("this is no recording with times: give an asciicast, or JSON lines with `t`")
        cols, rows = options.size or (recording.cols, recording.rows)
        replay = Observed(wanted, cols, rows, options.without, engines.DEFAULT)
        for step in recording.steps:
            replay.take(step)
            yield from replay.taken()
        replay.finish()
        yield from replay.taken()
    except BrokenRecording as error:
        raise RoostError("bad_request", f"{options.name}: {error}") from error


def _failed(message: str, status: int) -> int:
    sys.stderr.write(f"{printable(message)}\n")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m roostd.host.replay.explain")
    parser.add_argument("name", help="what is said of the file on stdin: an asciicast or JSON lines, gzipped or not")
    parser.add_argument("--agent", help="whose it is; else nobody's of whom anything is known")
    parser.add_argument("--size", type=size, help="the size to begin with, as in 80x24")
    parser.add_argument("--without", type=lambda text: text.split(","), default=[], help=f"leave out {', '.join(EVIDENCE)}")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -P -m roostd.agents list | check NAME | test NAME FILE [--size COLSxROWS]`: one JSON object a line.

What `test` reads is on stdin, FILE is what it is called. Exit code 0, 1, 2 or 3 as in docs/cli.md, with one line on stderr where it
cannot be done.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from roost_protocol.errors import EXIT_NO, EXIT_OK, RoostError, exit_code
from roost_protocol.text import printable
from roostd import config
from roostd.agents import checking, firing, listing
from roostd.catalogue.load import catalogue
from roostd.host.replay.recording import BrokenRecording, read, size


def main(argv: list[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        return {"list": _list, "check": _check, "test": _test}[options.what](options)
    except RoostError as error:
        sys.stderr.write(f"{printable(error.message)}\n")
        return exit_code(error.code)
    except OSError as error:
        sys.stderr.write(f"{printable(f'{error.filename}: {error.strerror}' if error.filename else str(error))}\n")
        return EXIT_NO


def _list(options: argparse.Namespace) -> int:
    _print(listing.listed(config.load(os.environ), catalogue()))
    return EXIT_OK


def _check(options: argparse.Namespace) -> int:
    """A mistake in the file is a finding; what can be checked without it still is: a built-in profile, and none of the file's own."""
    findings = []
    try:
        found = config.load(os.environ)
        findings.append(checking.Finding("roost.json", True, found.source or "there is none"))
    except RoostError as error:
        found = config.Config()
        findings.append(checking.Finding("roost.json", False, error.message))
    if findings[0].ok or options.name in catalogue():
        profile = config.resolve(options.name, found)
        findings.append(checking.Finding("profile", True, listing.source_of(options.name, found)))
        findings += checking.checked(profile, os.environ, os.getcwd())  # noqa: PTH109 (of whoever asks)
    else:
        findings.append(checking.Finding("profile", None, "it is none of the built-in ones, and of yours none can be read"))
    _print(finding._asdict() for finding in findings)
    return EXIT_NO if any(finding.ok is False for finding in findings) else EXIT_OK


def _test(options: argparse.Namespace) -> int:
    profile = config.resolve(options.name, config.load(os.environ))
    try:
        recording = read(sys.stdin.buffer)
        if recording.kind == "bytes":
            raise BrokenRecording("this is no recording with times: give an asciicast, or JSON lines with `t`")
        found, never = firing.fired(recording, profile, options.size)
    except BrokenRecording as error:
        raise RoostError("bad_request", f"{options.file}: {error}") from error
    _print([*(one._asdict() for one in found), {"never": never}])
    return EXIT_OK if found else EXIT_NO


def _print(values: Iterable[dict[str, Any]]) -> None:
    for value in values:
        sys.stdout.write(json.dumps(value) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m roostd.agents")
    what = parser.add_subparsers(dest="what", required=True)
    what.add_parser("list", help="which there are")
    what.add_parser("check", help="what is wrong with one").add_argument("name")
    test = what.add_parser("test", help="which pattern matched when")
    test.add_argument("name")
    test.add_argument("file", help="what is said of the one on stdin: an asciicast or JSON lines, gzipped or not")
    test.add_argument("--size", type=size, help="the size to begin with, as in 80x24")
    return parser


if __name__ == "__main__":
    sys.exit(main())

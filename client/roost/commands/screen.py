"""`roost screen`: what a job's terminal shows, or showed last; or what a file would make a terminal show."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.failure import Failed, Usage
from roost.output import print_json, print_line
from roost.picture import shown
from roost.reading import check_terminal_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

HELP = "Print what a job's terminal shows, or showed last; or what a recording shows at its end."
EXAMPLES = (
    "roost screen fix-login",
    "roost screen build --lines 200 | less",
    "roost screen fix-login --html > fix-login.html",
    "roost screen --from session.cast --ansi",
    "roost screen --from output.bin --size 100x30 --json",
)
FILES = ("file",)
MOST_LINES = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", nargs="?", help="a job's id, its name, or the beginning of its id")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--ansi", action="store_true", help="with colours")
    form.add_argument("--json", action="store_true", help="size, rows, cells, cursor, modes, title, engine, history")
    form.add_argument("--html", action="store_true", help="a page with colours and links")
    parser.add_argument("--lines", metavar="N", type=int, default=0, help="so many lines of history before the screen (a job keeps 2000)")
    offline = parser.add_argument_group("without a job and a daemon")
    offline.add_argument("--from", dest="file", metavar="FILE", help="play a recording (asciicast or roost's) or raw bytes; - is stdin")
    offline.add_argument("--size", metavar="COLSxROWS", help="the size to begin with; else the recording's, 80x24 for raw bytes")
    offline.add_argument("--engine", choices=("pyte", "ghostty"), help="which engine mirrors")
    offline.add_argument("--replies", action="store_true", help="print what the program was answered instead, one a line, escaped")


def run(args: argparse.Namespace) -> int:
    _check(args)
    screen = _replayed(args) if args.file is not None else _asked(args)
    if args.json:
        _print_json(screen, args)
    elif args.replies:
        for reply in _escaped(screen["replies"]):
            print_line(reply)
    elif args.html:
        _print_html(screen)
    else:
        for line in shown(screen["lines"], args.ansi):
            print_line(line)
    return 0


def _check(args: argparse.Namespace) -> None:
    if not 0 <= args.lines <= MOST_LINES:
        raise Usage(f"--lines: {args.lines} is not between 0 and {MOST_LINES}")
    if (args.job is None) == (args.file is None):
        raise Usage("name a job, or a file behind --from" if args.job is None else "name a job, or a file behind --from, not both")
    if args.file == "":
        raise Usage("--from: name a file, or - for stdin")
    if args.file is None:
        for option in ("size", "engine", "replies"):
            if getattr(args, option):
                raise Usage(f"--{option} goes with --from: a job's terminal has its own")
    if args.replies and (args.ansi or args.html):
        raise Usage("--replies prints no screen: --ansi and --html do not go with it")
    if args.size is not None:
        check_terminal_size(args.size)


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    params = {"job": args.job, "ansi": args.ansi, "lines": args.lines, "cells": args.json or args.html}
    with Daemon(os.environ) as daemon:
        screen: dict[str, Any] = daemon.ask("job.screen", params, timeout=30)
    return screen


def _replayed(args: argparse.Namespace) -> dict[str, Any]:
    from roost.replaying import replayed

    options = [f"--lines={args.lines}"]
    options += [f"--{name}={value}" for name in ("size", "engine") if (value := getattr(args, name))]
    options += ["--ansi"] * args.ansi + ["--cells"] * (args.json or args.html)
    return replayed(args.file, options)


def _print_json(screen: dict[str, Any], args: argparse.Namespace) -> None:
    from roost.cells import as_json

    found = as_json(screen, args.lines)
    if args.replies:
        found["replies"] = _escaped(screen["replies"])
    print_json(found)


def _print_html(screen: dict[str, Any]) -> None:
    from roost.page import page

    if screen.get("picture") is None:
        raise Failed("this job's host is of an older release and cannot tell its cells; without --html it is printed")
    print_line(page(screen["title"] or screen.get("job") or "screen", screen["picture"]).rstrip("\n"))


def _escaped(replies: list[str]) -> list[str]:
    """Each reply on one line of ASCII, its control characters as `\\x1b`, a backslash doubled."""
    from binascii import a2b_base64

    return [a2b_base64(reply).decode("latin-1").encode("unicode_escape").decode() for reply in replies]

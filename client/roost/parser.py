"""The command line's parser: argparse, with our own error line and exit code."""

from __future__ import annotations

import argparse

from roost.failure import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Of a fixed width: argparse asks `shutil` for the terminal's, even where no help is shown, and that costs as much as all the rest."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=100)


class Parser(argparse.ArgumentParser):
    """Raises `Usage` where argparse would print its usage and end the process."""

    def __init__(self, *, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=Formatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message}; see `{self.prog} --help`")

"""How a scenario ends before its last step."""

from __future__ import annotations


class Broken(Exception):
    """The client does not keep a rule. The message is one line: what was seen, and what the rule is."""


class Unsupported(Exception):
    """The driver says that its client cannot do this; the message is the command."""

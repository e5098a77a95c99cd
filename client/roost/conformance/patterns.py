"""What a line must look like, and what is made from a template.

A pattern's objects must be in the value with at least their fields; lists are compared element by element. In the place of a value may
stand `{"$absent": true}` (not there, or null), `{"$not": x}`, `{"$any": [...]}`, `{"$least": n}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_REPEATED = re.compile(r"\$i\b")


def fits(pattern: Any, value: Any, names: Mapping[str, Any]) -> bool:
    """Whether the value looks like the pattern."""
    if isinstance(pattern, dict):
        if len(pattern) == 1:
            (key,) = pattern
            if key in _OPERATORS:
                return _operate(key, pattern[key], value, names)
        if not _MADE.isdisjoint(pattern):
            return bool(filled(pattern, names) == value)
        return isinstance(value, dict) and all(fits(wanted, value.get(name), names) for name, wanted in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and len(value) == len(pattern) and all(map(fits, pattern, value, [names] * len(pattern)))
    wanted = filled(pattern, names)
    return type(wanted) is type(value) and bool(wanted == value)


_OPERATORS = ("$absent", "$not", "$any", "$least")
_MADE = frozenset({"$pad", "$deep", "$repeat"})


def _operate(key: str, operand: Any, value: Any, names: Mapping[str, Any]) -> bool:
    if key == "$absent":
        return value is None
    if key == "$not":
        return not fits(operand, value, names)
    if key == "$any":
        return any(fits(each, value, names) for each in operand)
    return isinstance(value, int) and bool(value >= filled(operand, names))


def filled(template: Any, names: Mapping[str, Any]) -> Any:
    """The template with names, paddings and repetitions put in. Raises KeyError for a name that nothing was kept under."""
    if isinstance(template, str):
        return names[template[1:]] if template.startswith("$") else _REPEATED.sub(str(names.get("i", "")), template)
    if isinstance(template, list):
        return [filled(each, names) for each in template]
    if not isinstance(template, dict):
        return template
    if "$pad" in template:
        return "x" * template["$pad"]
    if "$deep" in template:
        return _nested(template["$deep"])
    if "$repeat" in template:
        return [filled(template["of"], {**names, "i": i}) for i in range(1, template["$repeat"] + 1)]
    return {name: filled(each, names) for name, each in template.items()}


def _nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"in": value}
    return value

"""Small rooms: files and functions that a reader can hold in mind, and nothing put off."""

import ast
import re

import pytest

from tests.support.tree import files, parsed, python_files, shown

MAX_FILE = 500
MAX_FUNCTION = 50

# Larger ones, each with the reason why cutting it would make it harder to read.
LARGE_FUNCTIONS: dict[str, str] = {}
LARGE_FILES = {"sdk/roost_agent.py": "whoever cannot install a package copies this one file"}

# Spelt in two halves, so that this file does not break its own rule.
PUT_OFF = re.compile("TO" + "DO|FIX" + r"ME|\bXX" + "X\\b")


def test_no_file_is_too_long() -> None:
    counts = {shown(path): len(path.read_text().splitlines()) for path in python_files()}
    large = {name: count for name, count in counts.items() if count > MAX_FILE}
    assert {name: count for name, count in large.items() if name not in LARGE_FILES} == {}
    assert [name for name in LARGE_FILES if name not in large] == [], "no longer large: take it off the list"


def test_no_function_is_too_long() -> None:
    large = {
        f"{shown(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in python_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION
    }
    assert {name: lines for name, lines in large.items() if name not in LARGE_FUNCTIONS} == {}
    assert [name for name in LARGE_FUNCTIONS if name not in large] == [], "no longer large: take it off the list"


@pytest.mark.parametrize("suffix", [".py", ".md", ".sh", ""])
def test_nothing_is_put_off(suffix: str) -> None:
    found = [
        f"{shown(path)}:{number}: {line.strip()}"
        for path in files()
        if path.suffix == suffix
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if PUT_OFF.search(line)
    ]
    assert found == []


def test_a_package_says_in_its_docstring_what_is_in_it_and_nothing_else() -> None:
    wrong = [
        shown(path)
        for path in python_files()
        if path.name == "__init__.py" and "tests" not in path.parts
        if not ast.get_docstring(parsed(path)) or len(parsed(path).body) > 1
    ]
    assert wrong == []

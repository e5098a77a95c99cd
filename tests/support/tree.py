"""The project's own files."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "roost_protocol": ROOT / "protocol" / "roost_protocol",
    "roostd": ROOT / "roostd",
    "roost": ROOT / "client" / "roost",
    "roost_agent": ROOT / "sdk",
}
"""Import packages (and the one module of the SDK), and the folders that hold them."""

FOLDERS = ("roostd", "client", "protocol", "sdk", "tests", "scripts", "docs", ".ci")


def files(*folders: Path) -> Iterator[Path]:
    """Every file that somebody wrote."""
    for folder in folders or [ROOT / name for name in FOLDERS]:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def python_files(*folders: Path) -> list[Path]:
    return [path for path in files(*folders) if path.suffix == ".py"]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imports(path: Path) -> set[str]:
    """Modules that a file imports anywhere in it, in full; a relative import is the file's own package."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found |= {node.module}
    return found

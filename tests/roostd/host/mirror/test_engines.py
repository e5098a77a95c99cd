"""Which engine there is, and what is loaded for it."""

import ctypes.util
import subprocess
import sys
from pathlib import Path

import pytest

from roostd.config import MIRRORS
from roostd.host.mirror import engines, ghostty_check
from roostd.host.mirror import ghostty_library as native
from tests.support.needs import needs


def test_the_default_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    assert engines.create(20, 6).engine == engines.create(20, 6, "pyte").engine == "pyte"
    assert engines.ENGINES == MIRRORS


def test_the_environment_chooses_where_nobody_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pyghostty")
    monkeypatch.setenv(engines.VARIABLE, "ghostty")
    assert engines.create(20, 6).engine == "ghostty"
    assert engines.create(20, 6, "pyte").engine == "pyte"
    monkeypatch.setenv(engines.VARIABLE, "unknown")
    assert engines.create(20, 6).engine == "pyte"


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="no engine 'xterm': known are pyte, ghostty"):
        engines.create(20, 6, "xterm")
    assert "known are pyte, ghostty" in (engines.why_not("xterm") or "")


@pytest.mark.parametrize("engine", engines.ENGINES)
@pytest.mark.parametrize(("cols", "rows"), [(0, 5), (5, 0), (-1, 5)])
def test_an_impossible_size_is_refused(engine: str, cols: int, rows: int) -> None:
    with pytest.raises(ValueError, match=f"{cols}x{rows}"):
        engines.create(cols, rows, engine)


def test_what_is_there_is_told() -> None:
    needs("pyghostty")
    assert engines.available() == {"pyte": None, "ghostty": None}
    assert engines.create(20, 6, "ghostty").engine == "ghostty"


def test_a_missing_library_is_told_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> native.Library:
        raise OSError("the package pyghostty is not installed")

    monkeypatch.setattr(native, "library", missing)
    assert ghostty_check.problem() == "the package pyghostty is not installed"
    monkeypatch.setattr(engines, "why_not", lambda engine: "not there")
    assert engines.create(20, 6, "ghostty").engine == "pyte"


def test_another_version_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pyghostty")
    monkeypatch.setitem(native.ENUMS["GhosttyCellData"], "WIDE", 99)
    assert "GhosttyCellData.WIDE is 3, not 99" in (ghostty_check.problem() or "")
    monkeypatch.undo()
    monkeypatch.setitem(native.STRUCTS, "GhosttyStyle", native.Overscan)
    assert "GhosttyStyle has 72 bytes, not 4" in (ghostty_check.problem() or "")


def test_another_layout_of_cells_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pyghostty")
    monkeypatch.setattr(ghostty_check, "_FIELDS", {"WIDE": (40, 3)})
    assert "lays out a cell's WIDE in another way" in (ghostty_check.problem() or "")


def test_another_picture_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pyghostty")
    monkeypatch.setattr(ghostty_check, "_EXPECTED", [])
    assert "shows a known sample as" in (ghostty_check.problem() or "")


def test_a_library_without_a_function_is_told(tmp_path: Path) -> None:
    other = ctypes.util.find_library("c") or "libc.so.6"
    with pytest.raises(OSError, match="has no function ghostty_type_json"):
        native.Library(other)
    with pytest.raises(OSError, match="none"):
        native.Library(str(tmp_path / "none.so"))


def test_the_default_engine_loads_nothing_of_the_other() -> None:
    code = (
        "import sys; from roostd.host.mirror import engines; engines.create(20, 6, 'pyte').feed(b'x');"
        "print([name for name in sys.modules if 'ghostty' in name or 'cffi' in name or name == 'ctypes'])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

"""Files are whole or not there, also when the writer fails or is killed half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import condyle
from condyle._files import replacing
from condyle.results.files import filling, write_text


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden things too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_text_replaces_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    target.write_text("old")
    assert write_text(target, "über\n") == target
    assert target.read_bytes() == "über\n".encode()
    assert names(tmp_path) == ["note.txt"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    target.write_text("old")

    def fail_half_way() -> None:
        with replacing(target) as part:
            part.write_text("ha")
            raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        fail_half_way()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["note.txt"]


def test_nobody_sees_the_new_file_before_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    with replacing(target) as part:
        part.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"


def test_filling_moves_files_and_keeps_strangers(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    (tmp_path / "a.txt").write_text("old")
    with filling(tmp_path) as part:
        (part / "a.txt").write_text("new")
        (part / "frames").mkdir()
        (part / "frames" / "0.txt").write_text("frame")
        assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt", "frames", "frames/0.txt", "mine.txt"]
    assert (tmp_path / "a.txt").read_text() == "new"


def test_filling_that_fails_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")

    def fail_half_way() -> None:
        with filling(tmp_path) as part:
            (part / "a.txt").write_text("new")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail_half_way()
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_writer_leaves_the_old_file_whole(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    target.write_text("old")
    script = (
        "import os, signal, pathlib, sys\n"
        "from condyle._files import replacing\n"
        "with replacing(pathlib.Path(sys.argv[1])) as part:\n"
        "    part.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    source = {"PYTHONPATH": str(Path(condyle.__file__).parents[1])}
    killed = subprocess.run([sys.executable, "-c", script, str(target)], check=False, env=os.environ | source)
    assert killed.returncode == -signal.SIGKILL
    assert target.read_text() == "old"
    left = [name for name in names(tmp_path) if name != "note.txt"]
    assert all(name.startswith(".") and name.endswith(".part") for name in left)
    assert left, "the kill came too late to show anything"


def test_what_cannot_be_written_is_named_by_its_own_name(tmp_path: Path) -> None:
    """And not by the hidden name under which it would have been made."""
    with pytest.raises(FileNotFoundError) as caught:
        write_text(tmp_path / "nowhere" / "note.txt", "text")
    assert caught.value.filename == str(tmp_path / "nowhere" / "note.txt")


def test_a_folder_that_cannot_be_filled_is_named_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: object, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(PermissionError) as caught, filling(tmp_path):
        pass
    assert caught.value.filename == str(tmp_path)

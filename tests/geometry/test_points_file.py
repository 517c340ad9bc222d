"""Reading points from text files, good and bad."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from condyle.geometry.outline import OutlineError, read_points


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "outline.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1,0.2\n0.3,0.4\n", [[0.1, 0.2], [0.3, 0.4]]),
        ("x [mm], y [mm]\n10, 20\n30, -40\n", [[0.01, 0.02], [0.03, -0.04]]),
        ("xi (cm); eta (mm)\n1;2\n", [[0.01, 0.002]]),
        ("x [mm] y [cm]\n1 2\n", [[0.001, 0.02]]),
        ("x y\n1 2\n", [[1.0, 2.0]]),
        ("# a scan\n\n x , y # metres\n1e-2,\t-.5E+1 # first\n\n", [[0.01, -5.0]]),
        ("\ufeffx,y\r\n1,2\r\n3,4\r\n", [[1.0, 2.0], [3.0, 4.0]]),
        ("1.\t2\n", [[1.0, 2.0]]),
    ],
)
def test_files_that_are_read(tmp_path: Path, text: str, expected: list[list[float]]) -> None:
    assert read_points(written(tmp_path, text)) == pytest.approx(np.array(expected), rel=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,2\n3;;4\n", "outline.csv:3: expected two numbers, got '3;;4'"),
        ("1,2,3\n", "outline.csv:1: expected two numbers, got '1,2,3'"),
        ("1,2\n3\n", "outline.csv:2: expected two numbers"),
        ("1,2\n3,four\n", "outline.csv:2: 'four' is not a number"),
        ("1,2\nnan,3\n", "outline.csv:2: 'nan' is not a number"),
        ("nan,2\n1,3\n", "outline.csv:1: 'nan' is neither a number nor the name of a column"),
        ("1,O.2\n1,3\n", "outline.csv:1: '1' is neither a number nor"),
        ("1mm,2mm\n1,3\n", "outline.csv:1: '1mm' is neither"),
        ("1,1e999\n", "outline.csv:1: '1,1e999' is out of range"),
        ("1_0,2\n", "outline.csv:1"),
        ("x [in], y [in]\n1,2\n", "outline.csv:1: no unit 'in' for a column of points; use m, cm or mm"),
        ("x_mm,y_mm\n1,2\n", r"outline.csv:1: write the unit of 'x_mm' in brackets, like 'x \[mm\]'"),
        ("x [mm,y\n1,2\n", "outline.csv:1: cannot read the heading"),
        ("y,x\n1,2\n", "outline.csv:1: the columns must be x and then y"),
        ("x,y,z\n1,2,3\n", "outline.csv:1: expected a header of two columns"),
        ("x,y\n", "outline.csv: no points"),
        ("", "outline.csv: no points"),
        (b"\xff\xfe\x00", "outline.csv: not a text file in UTF-8"),
        ("1,2\n" + "1" * 2000 + ",2\n", "outline.csv:2: longer than 1000 characters"),
        ("1,2\n" * 100_001, "outline.csv: 100001 points, 100000 at most are read"),
        (b"#" * 5_000_001, "outline.csv: larger than 5 MB"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(OutlineError, match=message) as caught:
        read_points(written(tmp_path, text))
    assert len(str(caught.value)) < 200


def test_what_is_not_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.csv", tmp_path, Path("/dev/zero")):
        with pytest.raises(OutlineError, match="no such file"):
            read_points(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(max_size=200), st.text(alphabet="xy[]()m, ;#.0123e-+\n\t", max_size=80)))
def test_any_content_gives_points_or_one_clear_error(tmp_path: Path, content: bytes | str) -> None:
    with contextlib.suppress(OutlineError):
        points = read_points(written(tmp_path, content))
        assert points.ndim == 2
        assert points.shape[1] == 2
        assert np.isfinite(points).all()

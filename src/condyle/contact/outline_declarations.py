"""What a model file says about the shape of an outline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from condyle.spec.declaration import Declaration, Fault
from condyle.spec.errors import listed, shown
from condyle.spec.files import relative_file
from condyle.spec.quantity import Count, Point, PositiveLength
from condyle.spec.reference import Context

# As in `condyle.geometry.sampling`, which is not imported here: reading a model must not wait for the compiler.
ARC_TOLERANCE = 1e-3
MOST_SAMPLES = 20_000

ShapeName = Literal["circle", "line", "point", "points", "file", "path"]


class CircleSpec(Declaration):
    """A circle."""

    radius: PositiveLength = Field(description="Radius [m].")
    center: Point = Field((0.0, 0.0), description="Centre [x, y] in the body's frame, in m.")
    samples: Count = Field(72, ge=8, le=MOST_SAMPLES, description="Points on it, where it is interpolated.")
    hollow: bool = Field(
        default=False, strict=True, description="Whether the solid is outside the circle, as in a bearing."
    )


class LineSpec(Declaration):
    """A straight line."""

    start: Point = Field(alias="from", description="One end [x, y] in the body's frame, in m.")
    end: Point = Field(alias="to", description="The other end [x, y] in the body's frame, in m.")
    samples: Count = Field(2, ge=2, le=MOST_SAMPLES, description="Points on it, where it is interpolated.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A line has a length."""
        if self.start == self.end:
            yield ("to",), "the line ends where it begins"


class StraightSpec(Declaration):
    """A straight piece of a path."""

    to: Point = Field(description="Where the piece ends [x, y], in m.")


class ArcSpec(Declaration):
    """A piece of a circle in a path."""

    center: Point = Field(description="Centre of the arc [x, y], in m.")
    to: Point = Field(description="Where the arc ends [x, y], in m; as far from the centre as its beginning.")
    clockwise: bool = Field(default=False, strict=True, description="Whether it goes clockwise.")


class PieceSpec(Declaration):
    """One piece of a path: a line or an arc."""

    line: StraightSpec | None = Field(None, description="A straight piece.")
    arc: ArcSpec | None = Field(None, description="A circular piece.")

    @property
    def to(self) -> tuple[float, float]:
        """Where the piece ends [m]."""
        return next(piece.to for piece in (self.line, self.arc) if piece is not None)

    def faults(self, _context: Context) -> Iterator[Fault]:
        """A piece is one thing."""
        if (self.line is None) == (self.arc is None):
            yield (), "expected either line: or arc:"


class PathSpec(Declaration):
    """Lines and arcs, one after the other."""

    start: Point = Field(description="Where the path begins [x, y] in the body's frame, in m.")
    pieces: list[PieceSpec] = Field(
        min_length=1, max_length=1000, description="Its lines and arcs, in order."
    )
    samples: Count = Field(200, ge=4, le=MOST_SAMPLES, description="Points on the whole path.")

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Pieces have a length, arcs one radius, and there are points for all of them."""
        begin = self.start
        for k, piece in enumerate(self.pieces):
            if piece.line is not None and piece.line.to == begin:
                yield ("pieces", k, "line", "to"), "the line ends where it begins"
            if piece.arc is not None:
                yield from _arc_faults(k, begin, piece.arc)
            begin = piece.to
        if self.samples <= len(self.pieces):
            yield ("samples",), f"expected more than there are pieces, {len(self.pieces)}; got {self.samples}"


def _arc_faults(k: int, begin: tuple[float, float], arc: ArcSpec) -> Iterator[Fault]:
    first, last = math.dist(begin, arc.center), math.dist(arc.to, arc.center)
    if not first > 0.0:
        yield ("pieces", k, "arc", "center"), "the arc begins at its own centre"
    elif not abs(first - last) <= ARC_TOLERANCE * first:
        where = f"{first:.6g} m from its centre where it begins and {last:.6g} m where it ends"
        yield ("pieces", k, "arc", "to"), f"not on a circle: the arc is {where}"


class OutlineSpec(Declaration):
    """The shape of an outline, given in one of several ways."""

    circle: CircleSpec | None = Field(None, description="A circle.")
    line: LineSpec | None = Field(None, description="A straight line.")
    point: Point | None = Field(
        None, description="A bare point [x, y] in the body's frame, in m; it touches circles and lines."
    )
    points: list[Point] | None = Field(
        None,
        min_length=4,
        max_length=MOST_SAMPLES,
        description="Points [x, y] in order, in the body's frame, in m.",
    )
    file: Annotated[str, AfterValidator(relative_file)] | None = Field(
        None,
        max_length=200,
        description="CSV file beside the model file, two columns x and y; in m unless its header says otherwise.",
    )
    path: PathSpec | None = Field(None, description="Lines and arcs.")

    @property
    def shape(self) -> ShapeName:
        """Which of the ways is used."""
        return self._given()[0]

    def faults(self, context: Context) -> Iterator[Fault]:
        """One shape is one way, and a file is there."""
        given = self._given()
        if len(given) != 1:
            got = listed(given, "and") if given else "none"
            yield (), f"expected one of circle, line, point, points, file or path; got {got}"
        if (
            self.file is not None
            and context.folder is not None
            and not (context.folder / self.file).is_file()
        ):
            yield ("file",), f"no such file: {shown(str(context.folder / self.file))}"
        for k, point in enumerate(self.points or ()):
            if k > 0 and self.points is not None and point == self.points[k - 1]:
                yield ("points", k), "the same point as the one before"

    def _given(self) -> list[ShapeName]:
        shapes: tuple[ShapeName, ...] = ("circle", "line", "point", "points", "file", "path")
        return [shape for shape in shapes if getattr(self, shape) is not None]

"""Declared outlines as curves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from condyle.contact.declarations import ProfileSpec
from condyle.contact.outline_declarations import PathSpec, PieceSpec
from condyle.geometry.curve import PlaneCurve, circle_curve, line_curve
from condyle.geometry.outline import (
    ArcPiece,
    LinePiece,
    OutlineError,
    circle_points,
    line_points,
    outward_side,
    path_points,
    read_points,
)
from condyle.geometry.piecewise import Array
from condyle.geometry.profile import outline_curve
from condyle.model.spec import Spec
from condyle.spec.errors import Problem, SpecError


def profile_curves(spec: Spec) -> dict[str, PlaneCurve]:
    """The curve of every profile in its body's frame; outlines that cannot be are reported all at once."""
    curves, problems = {}, []
    for name, profile in spec.model.profiles.items():
        try:
            curves[name] = profile_curve(profile, spec.folder)
        except OutlineError as error:
            problems.append(Problem(f"profiles.{name}.outline", str(error)))
    if problems:
        raise SpecError(problems)
    return curves


def profile_curve(profile: ProfileSpec, folder: Path | None) -> PlaneCurve:
    """The curve of one profile: exact, or through points in the declared form and interpolation."""
    circle, line = profile.outline.circle, profile.outline.line
    if profile.effective_interpolation == "exact" and circle is not None:
        return circle_curve(circle.center, circle.radius, circle.hollow)
    if profile.outline.point is not None:
        return circle_curve(profile.outline.point, 0.0)
    if profile.effective_interpolation == "exact" and line is not None:
        side = outward_side(line_points(line.start, line.end), closed=False, direction=profile.outward)
        return line_curve(line.start, line.end, side)
    points, closed = _points(profile, folder)
    hollow = circle is not None and circle.hollow
    return outline_curve(
        points, profile.effective_interpolation, profile.effective_form, closed, profile.outward, hollow
    )


def _points(profile: ProfileSpec, folder: Path | None) -> tuple[Array, bool | None]:
    """Points of an outline [m], shape (n, 2), and whether it goes round; None where its angles tell."""
    outline, closed = profile.outline, profile.closed
    if outline.circle is not None:
        return circle_points(outline.circle.radius, outline.circle.center, outline.circle.samples), True
    if outline.line is not None:
        return line_points(outline.line.start, outline.line.end, outline.line.samples), False
    if outline.path is not None:
        points, ends_at_start = _path(outline.path)
        return points, ends_at_start if closed is None else closed
    if outline.file is not None:
        return read_points((folder or Path()) / outline.file), closed
    return _typed(outline.points or []), closed


def _typed(points: list[tuple[float, float]]) -> Array:
    """Typed points as an array [m], shape (n, 2)."""
    return np.array(points, dtype=float).reshape(-1, 2)


def _path(path: PathSpec) -> tuple[Array, bool]:
    return path_points(path.start, [_piece(piece) for piece in path.pieces], path.samples)


def _piece(piece: PieceSpec) -> LinePiece | ArcPiece:
    if piece.arc is not None:
        return ArcPiece(piece.arc.center, piece.arc.to, piece.arc.clockwise)
    return LinePiece(piece.to)

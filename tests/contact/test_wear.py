"""Archard's wear: closed forms of a flat and of a round body that slide, and the two ways to the volume."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle.contact.foundation.load import FoundationSettings, foundation_of, motion_of, outputs_for
from condyle.contact.foundation.pair import PAIR_LOAD, fill_pair, reversed_motion
from condyle.contact.foundation.surface import scratch_for, surface_of
from condyle.contact.foundation.wear import accumulate_face_wear, centre_wear
from condyle.geometry.mesh.shapes import box, icosphere, plate
from condyle.geometry.mesh.surface import SurfaceMesh
from contact.foundation_cases import LAW, MODULUS, RADIUS, random_turn

FACTOR, DURATION = 1e-16, 0.01  # 1e-7 mm^3/(N m)


def worn(
    first: SurfaceMesh, second: SurfaceMesh, height: float, twist: object, side: str
) -> tuple[float, float, float, NDArray[np.float64]]:
    """Volume by faces and by centre of pressure, the normal load, and the worn depth of the integrated faces."""
    smooth = first.n_face > 100
    one, other = surface_of(first, smooth=smooth), surface_of(second, smooth=smooth)
    scratches, outputs = (scratch_for(one), scratch_for(other)), outputs_for(one, other)
    motion = motion_of(np.eye(3), (0.0, height, 0.0), np.asarray(twist))
    foundation = foundation_of(FoundationSettings(LAW, integrate=side))  # type: ignore[arg-type]
    fill_pair(one, other, motion, foundation, *scratches, outputs)
    surface, scratch = (one, scratches[0]) if side == "first" else (other, scratches[1])
    seen = motion if side == "first" else reversed_motion(motion)
    depth, volumes = np.zeros(len(surface.faces)), np.zeros(2)
    accumulate_face_wear(surface, scratch, seen, FACTOR, DURATION, depth, volumes)
    volume = float(volumes[0])
    assert volume == pytest.approx(float(depth @ np.linalg.norm(surface.face_vectors, axis=1)), rel=1e-12)
    assert volumes[1] == volume
    return volume, centre_wear(outputs.loads, 0, motion, FACTOR, DURATION), outputs.loads[0, 15], depth


def test_a_flat_punch_wears_evenly() -> None:
    block, depth, speed = box((0.02, 0.01, 0.02)), 1e-4, 0.05
    floor = plate(0.06, 0.06, 1, 1)
    volume, by_centre, load, worn_depth = worn(block, floor, 0.005 - depth, (speed, 0, 0, 0, 0, 0), "first")
    expected = FACTOR * MODULUS * depth * speed * DURATION
    touching = block.face_normals[:, 1] < -0.5
    sides = 4 * 0.02 * depth**2 / 2  # they are below the plate's surface too
    assert load == pytest.approx(MODULUS * (depth * 4e-4 + sides), rel=1e-9)
    assert worn_depth[touching] == pytest.approx(expected, rel=1e-12)
    assert not worn_depth[block.face_normals[:, 1] > 0.5].any()
    assert volume == pytest.approx(FACTOR * load * speed * DURATION, rel=1e-12)
    assert by_centre == pytest.approx(expected * 4e-4, rel=1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_sliding_sphere_wears_force_times_distance(side: str) -> None:
    """The plate's pressure is all force; that of the sphere points to all sides a little."""
    ball, floor = icosphere(RADIUS, 3), plate(0.06, 0.06, 20, 20)
    volume, by_centre, load, _ = worn(ball, floor, 0.019, (0.03, 0.0, 0.04, 0.0, 0.0, 0.0), side)
    assert load > 10.0
    assert volume == pytest.approx(FACTOR * load * 0.05 * DURATION, rel=1e-12)
    assert by_centre == pytest.approx(volume, rel=1e-12 if side == "second" else 0.03)
    assert (by_centre < 0.99 * volume) == (side == "first")


@pytest.mark.compiled
def test_a_spinning_sphere_wears_by_faces_alone() -> None:
    """F |s| over a disc that turns about its middle: pressure m (d - r^2 / 2 R) and slip w r."""
    depth, spin = 1e-3, 2.0
    volume, by_centre, _, _ = worn(
        icosphere(RADIUS, 5), plate(0.06, 0.06, 20, 20), RADIUS - depth, (0, 0, 0, 0, spin, 0), "second"
    )
    r = np.linspace(0.0, np.sqrt(RADIUS**2 - (RADIUS - depth) ** 2), 20001)
    pressure = MODULUS * (RADIUS - np.sqrt((RADIUS - depth) ** 2 + r**2))
    turning = float(np.trapezoid(pressure * spin * r * 2.0 * np.pi * r, r))
    assert volume == pytest.approx(FACTOR * turning * DURATION, rel=0.01)
    assert by_centre < 0.02 * volume


@pytest.mark.compiled
def test_wear_by_faces_is_never_less_than_by_the_centre_of_pressure() -> None:
    rng = np.random.default_rng(6)
    ball, below = icosphere(RADIUS, 3), icosphere(0.03, 3, (0.0, -0.03, 0.0))
    ball = SurfaceMesh(ball.vertices @ random_turn(rng).T, ball.faces)
    ratios = []
    for twist in rng.normal(size=(100, 6)) * [1, 1, 1, 200, 200, 200]:
        for side in ("first", "second"):
            volume, by_centre, _, _ = worn(ball, below, 0.019, twist, side)
            assert volume >= by_centre * (1.0 - 1e-12)
            ratios.append(volume / by_centre)
    assert max(ratios) > 1.05


def test_parts_of_the_other_surface_part_the_volume() -> None:
    """A ball without parts on a plate with two: what each part of the plate wears off the ball."""
    floor = plate(0.06, 0.06, 20, 20)
    halves = SurfaceMesh(
        floor.vertices, floor.faces, (floor.face_centroids[:, 0] > 0.0).astype(int), ("-", "+")
    )
    one, other = surface_of(icosphere(RADIUS, 4)), surface_of(halves)
    scratches, outputs = (scratch_for(one), scratch_for(other)), outputs_for(one, other)
    motion = motion_of(np.eye(3), (1e-3, 0.019, 0.0), (0.03, 0, 0.04, 0, 0, 0))
    fill_pair(
        one, other, motion, foundation_of(FoundationSettings(LAW, integrate="first")), *scratches, outputs
    )
    depth, volumes = np.zeros(len(one.faces)), np.zeros(3)
    accumulate_face_wear(one, scratches[0], motion, FACTOR, DURATION, depth, volumes)
    expected = FACTOR * outputs.loads[:, PAIR_LOAD] * 0.05 * DURATION
    assert volumes == pytest.approx(expected, rel=1e-12)
    assert volumes[2] > 1.2 * volumes[1] > 0.0

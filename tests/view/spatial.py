"""Spatial runs made without the engine: balls that roll on a plate with the pressure under them, held by two ligaments.

One ball, or two side by side on one body whose contact has a medial and a lateral part; a bare body hangs on a spring.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from condyle.model.spec import parse
from condyle.results import Audit, Results

Array = NDArray[np.float64]
RADIUS, HEIGHT, MODULUS = (
    0.02,
    0.01,
    2e10,
)  # radius of a ball, thickness of the plate [m], pressure over depth [Pa/m]
AXES = ["x", "y", "z"]
MODEL = """\
condyle: 1
title: %s
description: Balls rolling on a plate.
bodies:
  ball: {mass: 1, inertia: 1e-3}
  plate: {fixed: true}
  weight: {mass: 0.1, inertia: 1e-5}
run: {duration: 1}
"""


def rolling_results(
    balls: int = 2, samples: int = 81, fine: int = 24, title: str = "Rolling", **changes: Any
) -> Results:
    """Balls that roll to and fro within a second; `changes` are variables of the dataset, None to leave one out."""
    dataset = rolling_dataset(balls, samples, fine)
    dataset = dataset.drop_vars([name for name, value in changes.items() if value is None])
    dataset = dataset.assign({name: value for name, value in changes.items() if value is not None})
    return Results(dataset, parse(MODEL % title, "rolling"), Audit(1e-9, 1.0, 1e-6, steps=1000))


def ball_mesh(fine: int, centre: Array) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and faces of a ball by longitude and latitude; the poles are on its z axis."""
    polar = np.linspace(0.0, np.pi, fine + 1)[1:-1]
    around = np.linspace(0.0, 2.0 * np.pi, 2 * fine, endpoint=False)
    ring = np.stack([np.cos(around), np.sin(around), np.zeros(2 * fine)], axis=1)
    rings = np.sin(polar)[:, None, None] * ring + np.cos(polar)[:, None, None] * np.array([0.0, 0.0, 1.0])
    points = np.concatenate([[[0.0, 0.0, 1.0]], rings.reshape(-1, 3), [[0.0, 0.0, -1.0]]])
    faces = [[0, 1 + k, 1 + (k + 1) % (2 * fine)] for k in range(2 * fine)]
    for row in range(fine - 2):
        a, b = 1 + 2 * fine * row, 1 + 2 * fine * (row + 1)
        for k in range(2 * fine):
            n = (k + 1) % (2 * fine)
            faces += [[a + k, b + k, b + n], [a + k, b + n, a + n]]
    last = 1 + 2 * fine * (fine - 2)
    faces += [[last + k, len(points) - 1, last + (k + 1) % (2 * fine)] for k in range(2 * fine)]
    return centre + RADIUS * points, np.array(faces)


def plate_mesh(fine: int) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and faces of the plate: its top at y = 0 and, far coarser, its bottom."""
    x, z = np.linspace(-0.06, 0.06, 3 * fine + 1), np.linspace(-0.045, 0.045, 2 * fine + 1)
    top = np.array([[a, 0.0, c] for a in x for c in z])
    wide, faces = len(z), []
    for k in range(len(x) - 1):
        for n in range(wide - 1):
            a, b = k * wide + n, (k + 1) * wide + n
            faces += [[a, a + 1, b + 1], [a, b + 1, b]]
    corners = np.array([[a, b, c] for b in (0.0, -HEIGHT) for a in (-0.06, 0.06) for c in (-0.045, 0.045)])
    sides = [[0, 1, 5], [0, 5, 4], [1, 3, 7], [1, 7, 5], [3, 2, 6], [3, 6, 7], [2, 0, 4], [2, 4, 6]]
    sides += [[4, 5, 7], [4, 7, 6]]
    return np.concatenate([top, corners]), np.concatenate([faces, np.array(sides) + len(top)])


def rolling_dataset(balls: int, samples: int, fine: int) -> xr.Dataset:
    """The variables of a spatial run; the balls press the deeper the further they are to the front."""
    time = np.linspace(0.0, 1.0, samples)
    travel = 0.03 * np.sin(2.0 * np.pi * time)
    depth = 0.7e-3 + 0.4e-3 * np.sin(2.0 * np.pi * time)
    place = np.stack([travel, RADIUS - depth, np.zeros(samples)], axis=1)
    angle = -travel / RADIUS
    turn = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=1)
    sides = [0.0] if balls == 1 else [-0.022, 0.022]
    parts = [ball_mesh(fine, np.array([0.0, 0.0, side])) for side in sides]
    ball_points = np.concatenate([points for points, _ in parts])
    ball_faces = np.concatenate([faces + k * len(parts[0][0]) for k, (_, faces) in enumerate(parts)])
    plate_points, plate_faces = plate_mesh(fine)
    pressure, forces, points, areas = _pressures(plate_points, plate_faces, place, depth, sides)
    names = ["rolling"] if balls == 1 else ["rolling", "rolling/medial", "rolling/lateral"]
    if balls > 1:
        weights = forces[:, :, None]
        net = (points * weights).sum(axis=1) / weights.sum(axis=1)
        points = np.concatenate([net[:, None], points], axis=1)
        forces, areas = (
            np.concatenate([one.sum(axis=1, keepdims=True), one], axis=1) for one in (forces, areas)
        )
    hang = np.stack([travel + 0.05, 0.03 + 0.005 * np.cos(20 * time), 0 * time], axis=1)
    still, whole = np.zeros((samples, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (samples, 1))
    attached = np.stack([_ligament_ends(place, angle, side) for side in (-0.03, 0.03)], axis=1)
    length = np.linalg.norm(attached[:, :, 1] - attached[:, :, 0], axis=-1)
    strain = length / 0.052 - 1.0
    all_faces = np.concatenate([ball_faces, plate_faces + len(ball_points)])
    field = np.concatenate([np.zeros((samples, len(ball_faces))), pressure], axis=1)
    worn = field.mean(axis=0) / field.mean(axis=0).max() * 4e-4
    data: dict[str, Any] = {
        "position": (("time", "body", "axis"), np.stack([place, still, hang], axis=1)),
        "orientation": (("time", "body", "quaternion"), np.stack([turn, whole, whole], axis=1)),
        "angular_velocity": (("time", "body", "axis"), np.zeros((samples, 3, 3))),
        "ligament_length": (("time", "ligament"), length),
        "ligament_strain": (("time", "ligament"), strain),
        "ligament_force": (("time", "ligament"), 2e3 * np.maximum(strain, 0.0)),
        "ligament_point": (("time", "ligament", "end", "axis"), attached),
        "spring_extent": (("time", "spring"), np.linalg.norm(hang - place, axis=1)[:, None]),
        "spring_effort": (("time", "spring"), 10.0 + np.cos(20 * time)[:, None]),
        "spring_point": (("time", "spring", "end", "axis"), np.stack([place, hang], axis=1)[:, None]),
        "load": (("time", "force", "axis"), np.stack([0 * time, -forces[:, 0], 0 * time], axis=1)[:, None]),
        "load_point": (("time", "force", "axis"), place[:, None]),
        "energy": (("time", "kind"), np.stack([travel**2, np.zeros(samples)], axis=1)),
        "measure_value": (("time", "measure"), np.rad2deg(angle)[:, None]),
        "surface_vertex": (("vertex", "axis"), np.concatenate([ball_points, plate_points])),
        "surface_face": (("face", "corner"), all_faces.astype(np.int32)),
        "surface_body": (("surface",), ["ball", "plate"]),
        "face_pressure": (("time", "face"), field.astype(np.float32)),
        "face_wear": (("face",), worn),
    }
    return xr.Dataset(
        data | _contacts(forces, areas, points, depth, pressure),
        {"time": time}
        | _labels(names, (len(ball_points), len(plate_points)), (len(ball_faces), len(plate_faces))),
    )


def _contacts(forces: Array, areas: Array, points: Array, depth: Array, pressure: Array) -> dict[str, Any]:
    """What contacts do on their first body, all of one pressure and depth."""
    vector = np.stack([0 * forces, forces, 0.05 * forces], axis=-1)
    size = np.maximum(np.linalg.norm(vector, axis=-1), 1e-300)
    peaks = np.repeat(pressure.max(axis=1)[:, None], forces.shape[1], axis=1)
    return {
        "contact_force": (("time", "contact", "axis"), vector),
        "contact_moment": (("time", "contact", "axis"), 0.01 * vector),
        "contact_normal": (("time", "contact", "axis"), vector / size[..., None]),
        "contact_normal_force": (("time", "contact"), size),
        "contact_point": (("time", "contact", "axis"), points),
        "contact_area": (("time", "contact"), areas),
        "contact_mean_pressure": (("time", "contact"), forces / np.maximum(areas, 1e-12)),
        "contact_peak_pressure": (("time", "contact"), peaks),
        "contact_depth": (("time", "contact"), np.repeat(depth[:, None], forces.shape[1], axis=1)),
    }


def _labels(names: list[str], vertices: tuple[int, int], faces: tuple[int, int]) -> dict[str, Any]:
    """Names along all directions but time, of contacts and of what stands in the model."""
    return {
        "body": ["ball", "plate", "weight"],
        "axis": AXES,
        "quaternion": ["e0", "e1", "e2", "e3"],
        "contact": names,
        "side": ["first", "second"],
        "contact_body": (("contact", "side"), [["ball", "plate"]] * len(names)),
        "ligament": ["near", "far"],
        "end": ["origin", "insertion"],
        "spring": ["string"],
        "spring_unit": ("spring", ["m"]),
        "force": ["weight"],
        "kind": ["kinetic", "residual"],
        "measure": ["turn"],
        "measure_unit": ("measure", ["deg"]),
        "surface": ["ball", "plate"],
        "vertex_surface": ("vertex", np.repeat([0, 1], vertices)),
        "face_surface": ("face", np.repeat([0, 1], faces)),
    }


def _pressures(
    points: Array, faces: NDArray[np.int64], place: Array, depth: Array, sides: list[float]
) -> tuple[Array, Array, Array, Array]:
    """Pressure on the plate's faces (time, face), force, centre of pressure and area of every ball over time."""
    centroid = points[faces].mean(axis=1)
    edges = points[faces[:, 1:]] - points[faces[:, :1]]
    area = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    area[centroid[:, 1] < -1e-9] = 0.0
    field = np.zeros((len(place), len(faces)))
    force, spots, touched = (np.zeros((len(place), len(sides), *more)) for more in ((), (3,), ()))
    for row, centre in enumerate(place):
        for k, side in enumerate(sides):
            away = np.hypot(centroid[:, 0] - centre[0], centroid[:, 2] - side)
            # The outer ball bears a little more than the inner one.
            deep = depth[row] * (1.0 + 0.2 * np.sign(side)) - away**2 / (2 * RADIUS)
            pressed = MODULUS * np.where(area > 0.0, np.maximum(deep, 0.0), 0.0)
            field[row] += pressed
            share = pressed * area
            force[row, k] = share.sum()
            spots[row, k] = (share[:, None] * centroid).sum(axis=0) / max(share.sum(), 1e-300)
            touched[row, k] = area[pressed > 0.0].sum()
    return field, force, spots, touched


def _ligament_ends(place: Array, angle: Array, side: float) -> Array:
    """From the balls' body, which turns, to the plate's rim, shape (n_time, 2, 3)."""
    up = np.stack([-0.015 * np.sin(angle), 0.015 * np.cos(angle), np.full(len(angle), side)], axis=1)
    foot = np.tile([-0.02, 0.0, 1.4 * side], (len(angle), 1))
    return np.stack([place + up, foot], axis=1)

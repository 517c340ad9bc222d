"""Results made without an engine: a tibia that swings by closed formulas, one ligament that breaks, one contact."""

from __future__ import annotations

import numpy as np
import xarray as xr

from condyle.results import Audit, Results

LIGAMENTS = ["ACL", "PCL/posterior"]
ENERGIES = ["kinetic", "gravity", "ligament", "contact", "load_work", "dissipated", "residual"]
LABELS = {
    "body": ["femur", "tibia"],
    "axis": ["x", "y", "z"],
    "ligament": LIGAMENTS,
    "contact": ["tibiofemoral"],
    "side": ["first", "second"],
    "end": ["origin", "insertion"],
    "force": ["pulse"],
    "measure": ["flexion"],
    "kind": ENERGIES,
    "profile": ["condyle", "plateau"],
}

MODEL = """\
condyle: 1
title: A knee of few words  # for tests
bodies:
  femur: {fixed: true}
  tibia: {mass: 4 kg, inertia: 0.1 kg m^2, position: [0, -0.3]}
profiles:
  condyle: {body: femur, outline: {circle: {radius: 40 mm}}}
  plateau: {body: tibia, outline: {line: {from: [0.03, 0.26], to: [-0.03, 0.26]}}}
contacts:
  tibiofemoral: {between: [condyle, plateau], law: {kind: lankarani-nikravesh, stiffness: 1e6, restitution: 0.5}}
ligaments:
  ACL: {from: {body: femur, at: [0, 0]}, to: {body: tibia, at: [0, 0.25]}, law: {kind: quadratic, stiffness: 2e7}}
  PCL:
    law: {kind: quadratic, stiffness: 2e7}
    bundles:
      posterior: {from: {body: femur, at: [0, 0]}, to: {body: tibia, at: [0.01, 0.25]}}
measures:
  flexion: {kind: angle, from: femur, to: tibia, unit: deg}
run: {duration: 0.05, step: 1e-4}
"""


def audit(**changes: object) -> Audit:
    """An audit that passes unless told otherwise."""
    values: dict[str, object] = {
        "energy_residual": 1e-12,
        "energy_throughput": 2.0,
        "tolerance": 1e-6,
        "deepest_penetration": {"tibiofemoral": 2.5e-4},
        "clamped_time": {"tibiofemoral": 0.0},
        "clamped_work": {"tibiofemoral": 0.0},
        "steps": 500,
        "events": 2,
        "evaluations": 2004,
    }
    return Audit(**(values | changes))  # type: ignore[arg-type]


def dataset(count: int = 51) -> xr.Dataset:
    """A dataset with every variable of a planar run; NaN where contact is open, as the engine leaves it."""
    time = np.linspace(0.0, 0.05, count)
    swing = 0.5 * np.sin(40.0 * time)
    zeros = np.zeros(count)
    position = np.zeros((count, 2, 3))
    position[:, 1, 0], position[:, 1, 1] = 0.3 * np.sin(swing), -0.3 * np.cos(swing)
    strain = np.column_stack([0.04 * np.sin(40.0 * time), 0.2 * np.sin(60.0 * time)])
    depth = np.where(time < 0.02, 1e-4 * np.sin(np.pi * time / 0.02), -1e-5)
    point = np.where(depth[:, None, None] >= 0.0, [[[0.0, -0.04, 0.0]]], np.nan)
    ends = np.zeros((count, 2, 2, 3))
    ends[:, :, 1] = position[:, 1, None] * 0.2
    pair = np.stack([zeros, swing], axis=1)
    series = {
        "position": (("body", "axis"), position, "m"),
        "angle": (("body",), pair, "rad"),
        "velocity": (("body", "axis"), np.gradient(position, time, axis=0), "m/s"),
        "angular_velocity": (("body",), np.gradient(pair, time, axis=0), "rad/s"),
        "ligament_length": (("ligament",), 0.05 * (1.0 + strain), "m"),
        "ligament_strain": (("ligament",), strain, "1"),
        "ligament_force": (("ligament",), 1e5 * np.maximum(strain, 0.0) ** 2, "N"),
        "ligament_point": (("ligament", "end", "axis"), ends, "m"),
        "contact_depth": (("contact",), depth[:, None], "m"),
        "contact_rate": (("contact",), np.gradient(depth, time)[:, None], "m/s"),
        "contact_normal_force": (("contact",), 1e8 * np.maximum(depth, 0.0)[:, None] ** 1.5, "N"),
        "contact_friction": (("contact",), zeros[:, None], "N"),
        "contact_point": (("contact", "axis"), point, "m"),
        "contact_normal": (("contact", "axis"), np.where(np.isnan(point), np.nan, [0.0, 1.0, 0.0]), "1"),
        "contact_point_local": (("contact", "side", "axis"), np.stack([point, point], axis=2), "m"),
        "load": (("force", "axis"), np.ones((count, 1, 3)), "N"),
        "load_point": (("force", "axis"), position[:, 1:], "m"),
        "measure_value": (("measure",), np.degrees(swing)[:, None], ""),
        "energy": (("kind",), np.outer(np.cos(40.0 * time), np.arange(1.0, len(ENERGIES) + 1.0)), "J"),
    }
    variables = {
        name: (("time", *dims), values, {"units": unit, "long_name": name.replace("_", " ")})
        for name, (dims, values, unit) in series.items()
    }
    return xr.Dataset(
        variables | _constants(), {"time": ("time", time, {"units": "s"})} | LABELS | _label_units()
    )


def results(spec: object, **changes: object) -> Results:
    """Complete results of a spec; fields can be changed by name."""
    values: dict[str, object] = {"dataset": dataset(), "spec": spec, "audit": audit(), "wall_time": 0.25}
    return Results(**(values | changes))  # type: ignore[arg-type]


def _label_units() -> dict[str, object]:
    return {"measure_unit": ("measure", ["deg"]), "profile_body": ("profile", ["femur", "tibia"])}


def _constants() -> dict[str, object]:
    """Outlines, a short one padded with NaN, and peaks between the output times."""
    outline = np.full((2, 24, 3), np.nan)
    turn = np.linspace(0.0, 2.0 * np.pi, 24)
    outline[0] = np.column_stack([0.04 * np.cos(turn), 0.04 * np.sin(turn), 0.0 * turn])
    outline[1, :2] = [[0.03, 0.26, 0.0], [-0.03, 0.26, 0.0]]
    return {
        "outline": (("profile", "vertex", "axis"), outline, {"units": "m", "long_name": "outline"}),
        "peak_ligament_force": ("ligament", [160.5, 4005.0], {"units": "N"}),
        "peak_ligament_force_time": ("ligament", [0.0391, 0.0123], {"units": "s"}),
        "peak_ligament_strain_time": ("ligament", [0.0392, 0.0124], {"units": "s"}),
        "peak_contact_force_time": ("contact", [0.0101], {"units": "s"}),
        "peak_contact_depth_time": ("contact", [0.0102], {"units": "s"}),
        "peak_ligament_strain": ("ligament", [0.041, 0.201], {"units": "1"}),
        "peak_contact_force": ("contact", [101.0], {"units": "N"}),
        "peak_contact_depth": ("contact", [1.01e-4], {"units": "m"}),
        "ligament_allowed_strain": ("ligament", [0.03, 0.15], {"units": "1"}),
        "ligament_allowed_force": ("ligament", [np.nan, 1000.0], {"units": "N"}),
        "ligament_broken_time": ("ligament", [np.nan, 0.0125], {"units": "s"}),
    }

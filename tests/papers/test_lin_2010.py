"""What Lin 2010 says of a knee replacement in a Stanmore machine, where numbers can decide it; foundation side.

The implant's sizes are Condyle's own, so that motions and forces are not those of the figures to the last digit; what
the paper says about the method, and what mechanics says about the machine, must hold all the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import condyle

pytestmark = pytest.mark.compiled
Array = NDArray[np.float64]
MODEL = "stanmore-tkr"


@pytest.fixture(scope="module")
def cycle() -> Any:
    """One cycle."""
    results = condyle.simulate(condyle.load(MODEL))
    assert results.complete
    assert results.audit.passed
    return results


def measure(dataset: Any, name: str) -> Array:
    return np.asarray(dataset["measure_value"].sel(measure=name).values)


def test_the_machine_is_the_one_of_the_paper(cycle: Any) -> None:
    """Six degrees of freedom as in Fig. 1, of which flexion is driven; two bumpers of 14.48 N/mm."""
    data, model = cycle.dataset, condyle.load(MODEL).model
    bumpers = [spring.stiffness or 0.0 for name, spring in model.springs.items() if name.startswith("bumper")]
    assert sum(bumpers) == pytest.approx(28.96e3)
    uhmwpe = model.materials["uhmwpe"]
    assert (uhmwpe.young, uhmwpe.poisson) == (463e6, 0.46)
    for name in ("anterior", "lateral-shift", "internal-rotation", "height", "varus"):
        assert np.ptp(measure(data, name)) > 0.1, name
    # The insert stays level and at its height, the femoral component on its ram.
    insert, femur = (data["position"].sel(body=body).values for body in ("tibia", "femur"))
    assert insert[:, 1] == pytest.approx(0.0, abs=1e-9)
    assert femur[:, [0, 2]] == pytest.approx(np.tile(femur[0, [0, 2]], (len(femur), 1)), abs=1e-9)


def test_loads_and_motion_have_the_extremes_of_the_standard(cycle: Any) -> None:
    data = cycle.dataset
    axial = -data["load"].sel(force="axial").values[:, 1]
    assert (axial.max(), axial.min()) == (pytest.approx(2600.0, rel=1e-3), pytest.approx(168.0, rel=1e-3))
    efforts = {name: data["load_effort"].sel(force=name).values for name in ("anterior", "torque")}
    assert efforts["anterior"].min() == pytest.approx(-265.0, rel=2e-3)
    assert efforts["anterior"].max() == pytest.approx(110.0, rel=2e-3)
    assert efforts["torque"].max() == pytest.approx(5.9, rel=2e-3)
    assert efforts["torque"].min() == pytest.approx(-1.0, rel=2e-2)
    flexion = measure(data, "flexion")
    assert flexion.max() == pytest.approx(58.0, abs=0.5)
    assert flexion.min() > -0.5


def forces_of(data: Any, contact: str = "tibiofemoral") -> Array:
    """Force on the femoral component [N], shape (n, 3)."""
    return np.asarray(data["contact_force"].sel(contact=contact).values)


def test_the_contact_bears_the_load_along_the_ram(cycle: Any) -> None:
    data = cycle.dataset
    time, axial = data["time"].values, data["load"].sel(force="axial").values[:, 1]
    velocity = data["velocity"].sel(body="femur").values[:, 1]
    contact, damper = forces_of(data)[:, 1], -2000.0 * velocity
    # The load begins with a kink, which differences do not see.
    inertia = 2.0 * np.gradient(velocity, time)
    assert (contact + axial + damper)[3:] == pytest.approx(inertia[3:], abs=3.0)
    assert np.abs(contact + axial).max() < 0.08 * 2600.0
    sides = [forces_of(data, f"tibiofemoral/{side}") for side in ("medial", "lateral")]
    assert sides[0] + sides[1] == pytest.approx(forces_of(data), abs=1e-8)
    # The load's line lies on the medial side.
    assert (sides[0][:, 1] > sides[1][:, 1]).all()
    share = sides[0][:, 1] / contact
    assert share.mean() == pytest.approx(0.5 + 5.04 / 46.0, abs=0.03)


def test_the_insert_is_in_balance(cycle: Any) -> None:
    """Along x: the load, two bumpers, the bearing, the contact, and what moves 3 kg."""
    data = cycle.dataset
    velocity = data["velocity"].sel(body="tibia").values[:, 0]
    bumpers = np.zeros(len(velocity))
    for name in ("bumper-medial", "bumper-lateral"):
        ends = data["spring_point"].sel(spring=name).values
        along = ends[:, 0] - ends[:, 1]
        pull = data["spring_effort"].sel(spring=name).values / np.linalg.norm(along, axis=1)
        bumpers += pull * along[:, 0]
    load = data["load_effort"].sel(force="anterior").values
    total = load + bumpers - 600.0 * velocity - forces_of(data)[:, 0]
    assert np.abs(bumpers).max() > 50.0
    assert total == pytest.approx(3.0 * np.gradient(velocity, data["time"].values), abs=3.0)


def test_action_is_reaction_over_the_cycle(cycle: Any) -> None:
    """Moments about the upright axis: what the contact does to the insert, and what holds that back."""
    data = cycle.dataset
    force, moment = forces_of(data), data["contact_moment"].sel(contact="tibiofemoral").values
    femur, insert = (data["position"].sel(body=body).values for body in ("femur", "tibia"))
    about = -(moment + np.cross(femur - insert, force))[:, 1]
    turning = data["angular_velocity"].sel(body="tibia").values[:, 1]
    bumpers = np.zeros(len(turning))
    for name in ("bumper-medial", "bumper-lateral"):
        ends = data["spring_point"].sel(spring=name).values
        along = ends[:, 0] - ends[:, 1]
        pull = data["spring_effort"].sel(spring=name).values / np.linalg.norm(along, axis=1)
        bumpers += np.cross(ends[:, 1] - insert, pull[:, None] * along)[:, 1]
    # Internal rotation counts against the upright axis.
    load = -data["load_effort"].sel(force="torque").values
    total = about + bumpers + load - 1.5 * turning
    assert np.abs(about).max() > 1.0
    assert total == pytest.approx(8e-3 * np.gradient(turning, data["time"].values), abs=0.05)


def test_wear_by_the_centre_of_pressure_is_near_that_by_elements(cycle: Any) -> None:
    """Lin 2010, Section 3: within 2 %; and never more, side by side."""
    data = cycle.dataset
    faces, centre = (
        {name: float(data[kind].sel(contact=f"tibiofemoral{name}")) for name in ("", "/medial", "/lateral")}
        for kind in ("wear_volume", "wear_volume_by_centre")
    )
    for name, volume in faces.items():
        assert centre[name] <= volume * (1.0 + 1e-12)
        assert centre[name] > 0.98 * volume
    assert faces[""] == pytest.approx(faces["/medial"] + faces["/lateral"], rel=1e-12)
    # Table 1: 17 to 30 mm^3 of 5 million cycles, of another implant.
    assert 10e-9 < faces[""] < 40e-9
    # The map holds the same volume.
    area = np.linalg.norm(_face_vectors(data), axis=1)
    assert float(data["face_wear"].values @ area) == pytest.approx(faces[""], rel=1e-12)


def _face_vectors(data: Any) -> Array:
    corners = data["surface_vertex"].values[data["surface_face"].values]
    return np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2.0)


def test_pressures_make_the_forces(cycle: Any) -> None:
    """The map of pressures on the insert, summed with the faces' vectors, is the force at every row."""
    data = cycle.dataset
    on_insert = -np.einsum("tf,fa->ta", data["face_pressure"].values.astype(float), _face_vectors(data))
    assert on_insert[:, 1] == pytest.approx(-forces_of(data)[:, 1], rel=1e-5)
    assert (
        data["contact_peak_pressure"].max(dim="contact") >= data["face_pressure"].max(dim="face") * 0.999
    ).all()


def values_of(data: Any) -> Array:
    """What must not depend on how the equations were solved or the surfaces cut."""
    peaks = [
        np.abs(forces_of(data, name)[:, 1]).max() for name in ("tibiofemoral/medial", "tibiofemoral/lateral")
    ]
    ranges = [np.ptp(measure(data, name)) for name in ("anterior", "internal-rotation", "height", "varus")]
    return np.array([*peaks, *ranges, float(data["wear_volume"][0])])


@pytest.mark.parametrize(
    ("changes", "within"),
    [
        ({"run.step": "2 ms"}, 5e-3),
        ({"run.newton_tolerance": 1e-7}, 1e-4),
        ({"surfaces.femoral.femoral.edge": "2.1 mm", "surfaces.insert.insert.edge": "2.1 mm"}, 1e-2),
    ],
    ids=["step", "tolerance", "mesh"],
)
def test_results_do_not_depend_on_step_tolerance_or_mesh(
    cycle: Any, changes: dict[str, Any], within: float
) -> None:
    other = condyle.simulate(condyle.load(MODEL).updated(changes)).dataset
    assert values_of(other) == pytest.approx(values_of(cycle.dataset), rel=within)
    assert not np.array_equal(values_of(other), values_of(cycle.dataset))

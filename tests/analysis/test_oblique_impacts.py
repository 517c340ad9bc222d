"""Two free bodies that collide off their centres, with friction: momentum, angular momentum and energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import condyle
from condyle.model.spec import Spec
from condyle.testing import assert_balance
from contact.pairs import ellipse
from small_models import Section, damped, hertz, model, tight

Array = NDArray[np.float64]

MASSES, INERTIAS = {"left": 0.3, "right": 0.5}, {"left": 4e-4, "right": 9e-4}
FRICTION: dict[str, Any] = {
    "smooth": None,
    "coulomb": {"kind": "coulomb", "coefficient": 0.4},
    "brown-mcphee": {"kind": "brown-mcphee", "static": 0.5, "dynamic": 0.3, "transition_speed": 0.01},
}
SHAPES: dict[str, tuple[Section, Section]] = {
    # Circles off the centres of mass, in closed form.
    "circles": (
        {"outline": {"circle": {"radius": 0.05, "center": [0.01, 0.005]}}},
        {"outline": {"circle": {"radius": 0.06, "center": [-0.004, 0.012]}}},
    ),
    # Curves through points, by search and Newton's method.
    "eggs": (
        {"outline": {"points": ellipse(0.06, 0.045, 0.008 + 0.004j).tolist()}, "interpolation": "cubic"},
        {"outline": {"points": ellipse(0.05, 0.07, -0.004 + 0.006j).tolist()}, "interpolation": "cubic"},
    ),
}


def collision(
    shapes: str, law: Section, friction: str, velocity: tuple[float, float], spins: tuple[float, float]
) -> Spec:
    """One body thrown at another, which comes slowly towards it."""
    bodies: Section = {
        "left": {
            "position": [-0.075, 0.02],
            "angle": 0.3,
            "velocity": velocity,
            "angular_velocity": spins[0],
        },
        "right": {
            "position": [0.06, -0.01],
            "angle": -0.8,
            "velocity": [-0.2, 0.1],
            "angular_velocity": spins[1],
        },
    }
    for name, body in bodies.items():
        body |= {"mass": MASSES[name], "inertia": INERTIAS[name]}
    first, second = SHAPES[shapes]
    return model(
        bodies,
        tight(0.06),
        profiles={"first": {"body": "left", **first}, "second": {"body": "right", **second}},
        contacts={"touch": {"between": ["first", "second"], "law": law, "friction": FRICTION[friction]}},
    )


def momenta(data: Any) -> tuple[Array, Array]:
    """Momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of both bodies at all rows."""
    linear, angular = np.zeros((len(data["time"]), 2)), np.zeros(len(data["time"]))
    for name, mass in MASSES.items():
        body = data.sel(body=name)
        place, velocity = (body[key].values[:, :2] for key in ("position", "velocity"))
        linear += mass * velocity
        angular += mass * (place[:, 0] * velocity[:, 1] - place[:, 1] * velocity[:, 0])
        angular += INERTIAS[name] * body["angular_velocity"].values
    return linear, angular


def check(spec: Spec) -> float:
    """Nothing is made or lost but the energy that is booked; returns the largest normal force [N]."""
    found = condyle.simulate(spec)
    assert found.complete
    data = found.dataset
    linear, angular = momenta(data)
    size = sum(mass * np.abs(data["velocity"].sel(body=name)).max() for name, mass in MASSES.items())
    assert np.abs(linear - linear[0]).max() < 1e-11 * float(size)
    assert np.abs(angular - angular[0]).max() < 1e-12 * float(size)
    energy = data["energy"].transpose("kind", ...)
    kinetic, contact, lost = (energy.sel(kind=kind).values for kind in ("kinetic", "contact", "dissipated"))
    assert_balance(
        {"kinetic": kinetic - kinetic[0], "contact": contact, "lost": lost},
        tolerance=2e-8,
        throughput=kinetic[0],
    )
    # In one impact with a fixed friction sign, or none, nothing comes back that has been lost.
    force = float(data["peak_contact_force"][0])
    assert lost[-1] >= -1e-12
    assert (kinetic[-1] < kinetic[0]) == (lost[-1] > 0.0)
    return force


@pytest.mark.parametrize("friction", FRICTION)
@pytest.mark.parametrize("shapes", SHAPES)
def test_nothing_is_made_of_nothing(shapes: str, friction: str) -> None:
    """Each shape with each friction, a damped law."""
    law = damped("gonthier", 0.6, 2e6)
    assert check(collision(shapes, law, friction, (1.3, -0.4), (6.0, -4.0))) > 100.0


def test_friction_and_damping_do_take_energy() -> None:
    """An elastic smooth impact loses nothing; friction loses some; damping more."""

    def lost(law: Section, friction: str) -> float:
        data = condyle.simulate(collision("circles", law, friction, (1.3, -0.4), (6.0, -4.0))).dataset
        return float(data["energy"].sel(kind="dissipated")[-1])

    smooth, rough = lost(hertz(), "smooth"), lost(hertz(), "coulomb")
    assert smooth == 0.0
    assert rough > 1e-4
    assert lost(damped("gonthier", 0.5), "coulomb") > 1.5 * rough


@settings(max_examples=12)
@given(
    st.tuples(st.floats(0.5, 2.0), st.floats(-0.8, 0.8)),
    st.tuples(st.floats(-20.0, 20.0), st.floats(-20.0, 20.0)),
    st.sampled_from(list(FRICTION)),
    st.floats(0.2, 1.0),
)
def test_whatever_the_throw(
    velocity: tuple[float, float], spins: tuple[float, float], friction: str, restitution: float
) -> None:
    """Also where they miss each other, or meet twice."""
    check(collision("circles", damped("gonthier", restitution, 2e6), friction, velocity, spins))


def test_the_impulse_on_smooth_circles() -> None:
    """Normal impulse (1 + e) v_n / (1/m_i + 1/m_j + arms), for a stiff contact: the closed form of rigid impact."""
    spec = collision("circles", damped("gonthier", 0.6, 1e11), "smooth", (1.3, -0.4), (6.0, -4.0))
    data = condyle.simulate(spec).dataset
    before, after = data.isel(time=0), data.isel(time=-1)
    push = {}
    for name, mass in MASSES.items():
        change = (after["velocity"].sel(body=name) - before["velocity"].sel(body=name)).values[:2]
        push[name] = mass * change
    impulse = float(np.hypot(*push["left"]))
    normal = push["left"] / impulse
    # Where it was is told by the moments: I (change of turning) = arm x impulse.
    reduced, approach = 0.0, 0.0
    for name, sign in (("left", -1.0), ("right", 1.0)):
        twist = INERTIAS[name] * float(
            after["angular_velocity"].sel(body=name) - before["angular_velocity"].sel(body=name)
        )
        arm = twist / (-sign * impulse)
        reduced += 1.0 / MASSES[name] + arm**2 / INERTIAS[name]
        speed = float(before["velocity"].sel(body=name).values[:2] @ normal)
        approach += sign * (speed + arm * float(before["angular_velocity"].sel(body=name)))
    assert approach > 0.5
    assert impulse == pytest.approx(1.6 * approach / reduced, rel=1e-3)

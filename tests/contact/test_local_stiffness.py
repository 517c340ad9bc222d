"""Stiffness from the curvature where two outlines touch: Machado 2010, Eqs. 25-26, and the work it does."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import simpson

import condyle
from condyle.contact.forces import DEPTH, ENERGY, NORMAL_FORCE
from condyle.mechanics.system import SPOTS
from condyle.model.spec import Spec
from contact.pairs import ellipse
from evaluation import Evaluation
from small_models import Section, circle, disc, line, model, run

Array = NDArray[np.float64]

MATERIALS: Section = {
    "bone": {"young": 2e8, "poisson": 0.3},
    "rubber": {"young": 5e6, "poisson": 0.46},
}
# Compliance of both together [1/Pa].
SOFT = (1.0 - 0.3**2) / 2e8 + (1.0 - 0.46**2) / 5e6
LONG, SHORT = 0.06, 0.04


def eq_25(*radii: float) -> float:
    """Stiffness [N/m^1.5] of two radii [m], negative where hollow; 4/3 (R)^0.5 / (s_i + s_j)."""
    curvature = sum(1.0 / radius for radius in radii)
    return 4.0 / (3.0 * SOFT * math.sqrt(curvature))


def touching(first: Section, second: Section, contact: Section, gap: float, **mover: object) -> Spec:
    """A body above a base, its profile pressed in or held off by a gap at the start [m]."""
    bodies: Section = {"base": {"fixed": True}, "mover": {**disc(), "position": [0.0, 0.3], **mover}}
    profiles: Section = {
        "skin": {**first, "body": "mover", "material": "bone"},
        "floor": {**second, "body": "base", "material": "rubber"},
    }
    whole: Section = {"between": ["skin", "floor"], "initial_gap": gap, "law": "hertz", **contact}
    settings = contact.pop("settings", None) or run(1.0)
    whole.pop("settings", None)
    return model(bodies, settings, materials=MATERIALS, profiles=profiles, contacts={"touch": whole})


def force_at(spec: Spec) -> tuple[float, float]:
    """Force and depth at the start."""
    pressed = Evaluation(spec)
    pressed.settle(*pressed.start)
    (spot,) = pressed.model.rows(SPOTS)
    work = pressed.at(*pressed.start).work[spot]
    assert work[ENERGY] == 0.0
    return float(work[NORMAL_FORCE]), float(work[DEPTH])


ROUND, FLAT = circle("mover", 0.05), line("base")
HOLLOW = circle("base", 0.4, hollow=True)


@pytest.mark.parametrize(
    ("second", "radii", "stiffness"),
    [
        (FLAT, ["profile", "flat"], eq_25(0.05)),
        (FLAT, ["profile", "profile"], eq_25(0.05)),
        (circle("base", 0.12), ["profile", "profile"], eq_25(0.05, 0.12)),
        (circle("base", 0.12), ["profile", 0.3], eq_25(0.05, 0.3)),
        (circle("base", 0.12), [0.02, "profile"], eq_25(0.02, 0.12)),
        (HOLLOW, ["profile", "profile"], eq_25(0.05, -0.4)),
    ],
)
def test_circles(second: Section, radii: list[float | str], stiffness: float) -> None:
    """Their own radii, those that are given instead, a plane, a hollow side."""
    force, depth = force_at(touching(ROUND, second, {"radii": radii}, -2e-4))
    assert depth == pytest.approx(2e-4, rel=1e-10)
    assert force == pytest.approx(stiffness * depth**1.5, rel=1e-10)


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.2, math.pi / 2])
@pytest.mark.parametrize("swapped", [False, True])
def test_an_ellipse_on_a_flat(angle: float, swapped: bool) -> None:
    """The radius at its lowest point, whose direction the angle tells; whichever side is named first."""
    oval: Section = {
        "outline": {"points": ellipse(LONG, SHORT, count=144).tolist()},
        "interpolation": "cubic",
    }
    contact: Section = {"radii": ["profile", "flat"]}
    if swapped:
        contact = {"between": ["floor", "skin"], "radii": ["flat", "profile"]}
    force, depth = force_at(touching(oval, FLAT, contact, -2e-4, angle=angle))
    # Where the outward normal points down in the ellipse's frame, at the direction -pi/2 - angle.
    normal = cmath.rect(1.0, -0.5 * math.pi - angle)
    support = math.hypot(LONG * normal.real, SHORT * normal.imag)
    radius = (LONG * SHORT) ** 2 / support**3
    assert depth == pytest.approx(2e-4, rel=1e-9)
    assert force == pytest.approx(eq_25(radius) * depth**1.5, rel=5e-4)


def test_its_work_is_integrated() -> None:
    """A turning ellipse thrown at a flat: no energy is said to be stored, all work is booked, by a quadrature too."""
    oval: Section = {"outline": {"points": ellipse(LONG, SHORT).tolist()}, "interpolation": "cubic"}
    settings = run(0.015, 2.5e-6, output_step=5e-6)
    contact: Section = {"radii": ["profile", "flat"], "settings": settings}
    spec = touching(oval, FLAT, contact, 1e-4, angle=0.6, velocity=[0.0, -0.5], angular_velocity=20.0)
    found = condyle.simulate(spec)
    data = found.dataset
    spot = data.sel(contact="touch")
    force, rate = spot["contact_normal_force"].values, spot["contact_rate"].values
    assert force[0] == 0.0
    assert force[-1] == 0.0
    assert force.max() > 10.0
    lost = data["energy"].sel(kind="dissipated").values
    assert (data["energy"].sel(kind="contact").values == 0.0).all()
    half = int(np.argmax(force))
    assert lost[half] == pytest.approx(simpson(force[: half + 1] * rate[: half + 1], dx=5e-6), rel=1e-5)
    assert lost[-1] == pytest.approx(simpson(force * rate, dx=5e-6), abs=1e-5 * lost[half])
    # The radius has changed under way: what came back is not what went in.
    assert abs(lost[-1]) > 1e-3 * lost[half]
    kinetic = data["energy"].sel(kind="kinetic").values
    assert np.abs(kinetic - kinetic[0] + lost).max() < 1e-9 * kinetic[0]
    assert found.audit.relative_residual < 1e-9

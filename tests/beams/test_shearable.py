"""The shear-deformable element: forces from its energy, Timoshenko's beam, and the locking that it does without."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

import condyle
from condyle.beams.columns import ENERGY, LOSS
from condyle.beams.mesh import shape_functions
from condyle.mechanics.system import BEAMS, DISSIPATED
from condyle.model.spec import Spec
from condyle.testing import assert_gradient, assert_order
from evaluation import Evaluation
from small_models import Section, bow, model, rod, run

Array = NDArray[np.float64]
SHAPES: dict[str, Section] = {"straight": rod((0.1, -0.2), (0.7, 0.6)), "curved": bow()}


def beam_alone(shape: Section, **more: float) -> Evaluation:
    """One beam of shear-deformable elements in flight."""
    beam = {**shape, "kind": "shear-deformable", "shear_stiffness": 40.0, **more}
    return Evaluation(model({"ground": {"fixed": True}}, run(1.0), beams={"beam": beam}))


def mass(beam: Evaluation) -> Array:
    """The mass matrix of all coordinates."""
    mesh = beam.model.meshes["beam"]
    return np.asarray(np.kron(mesh.mass_times(np.eye(len(mesh.coordinates))), np.eye(2)), dtype=np.float64)


def strain_energy(beam: Evaluation, q: Array) -> float:
    return float(beam.at(q).work[beam.model.rows(BEAMS)[0], ENERGY])


def force(beam: Evaluation, q: Array, v: Array | None = None) -> Array:
    return np.asarray(mass(beam) @ beam.at(q, v).acceleration)


@pytest.mark.parametrize("shape", SHAPES)
def test_force_is_minus_the_gradient_of_the_energy(shape: str) -> None:
    beam = beam_alone(SHAPES[shape])
    q, _ = beam.near(np.random.default_rng(1), 0.05)
    assert_gradient(lambda x: -strain_energy(beam, x), lambda x: force(beam, x), q, step=2e-3, tolerance=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_force_at_rest_wherever_it_is_carried(shape: str) -> None:
    beam = beam_alone(SHAPES[shape])
    q, _ = beam.start
    cos, sin = math.cos(2.3), math.sin(2.3)
    pairs = q.reshape(-1, 2) @ np.array([[cos, sin], [-sin, cos]])
    pairs[::3] += (0.4, -3.0)
    for carried in (q, pairs.ravel()):
        assert np.abs(force(beam, carried)).max() < 1e-9
    q[-1] += 0.05
    assert np.abs(force(beam, q)).max() > 0.1


def test_damping_takes_what_it_books() -> None:
    damped, elastic = beam_alone(SHAPES["curved"], damping=0.02), beam_alone(SHAPES["curved"])
    q, v = damped.near(np.random.default_rng(3), 0.05)
    seen = damped.at(q, v)
    loss = seen.work[damped.model.rows(BEAMS)[0], LOSS]
    assert loss > 0.1
    assert v @ (force(damped, q, v) - force(elastic, q, v)) == pytest.approx(-loss, rel=1e-9)
    assert seen.powers[DISSIPATED] == loss


def clamped(elements: int, height: float, load: float, kind: str = "shear-deformable") -> Spec:
    """A cantilever of one metre at rest under a force across its end."""
    return condyle.load("cantilever").updated(
        {
            "run.analysis": "equilibrium",
            "run.duration": 1.0,
            "run.output_step": 1.0,
            "beams.bar.kind": kind,
            "beams.bar.elements": elements,
            "beams.bar.section.height": height,
            "forces.pull.amplitude": load,
        }
    )


def deflection(spec: Spec) -> float:
    """How far the tip goes [m]."""
    return -1e-3 * float(condyle.simulate(spec).dataset["measure_value"].sel(measure="tip-y")[-1])


def timoshenko(height: float, load: float) -> tuple[float, float]:
    """Deflection of the tip by bending and by shear [m], for small loads."""
    young, poisson, area = 1e9, 0.3, 0.02 * height
    bending, shear = young * area * height**2 / 12.0, 5.0 / 6.0 * young / (2.0 * (1.0 + poisson)) * area
    return load / (3.0 * bending), load / shear


def test_a_deep_beam_deflects_as_timoshenko_says() -> None:
    """With the shear that a cable element leaves out, at a measured order of two."""
    bent, sheared = timoshenko(0.2, 0.1)
    assert sheared > 0.02 * bent
    counts = [4, 8, 16]
    errors = [abs(deflection(clamped(n, 0.2, 0.1)) - bent - sheared) for n in counts]
    assert_order([1.0 / n for n in counts], errors, 2.0)
    assert errors[-1] < 0.002 * bent
    assert deflection(clamped(16, 0.2, 0.1, kind="cable")) == pytest.approx(bent, rel=1e-3)


def continuum_deflection(elements: int, height: float, load: float) -> float:
    """Deflection of a cantilever by the element as Omar 2001 prints it, linearised: plane stress, full integration."""
    young, poisson, width = 1e9, 0.3, 0.02
    stress = (
        young
        / (1.0 - poisson**2)
        * np.array([[1.0, poisson, 0.0], [poisson, 1.0, 0.0], [0, 0, (1 - poisson) / 2]])
    )
    length, n = 1.0 / elements, 3 * (elements + 1)
    stiffness = np.zeros((2 * n, 2 * n))
    for x, wx in zip(*leggauss(5), strict=True):
        for y, wy in zip(*leggauss(3), strict=True):
            part, across = 0.5 * (x + 1.0), 0.5 * height * y
            _, slope, _ = shape_functions(part, length)
            along = np.array([slope[0], slope[1], -across / length, slope[2], slope[3], across / length])
            section = np.array([0.0, 0.0, 1.0 - part, 0.0, 0.0, part])
            strain = np.zeros((3, 12))
            strain[0, ::2], strain[1, 1::2] = along, section
            strain[2, ::2], strain[2, 1::2] = section, along
            share = 0.25 * wx * length * wy * height * width
            for k in range(elements):
                block = slice(6 * k, 6 * k + 12)
                stiffness[block, block] += share * strain.T @ stress @ strain
    push = np.zeros(2 * n)
    push[-5] = load
    free = np.arange(6, 2 * n)
    return float(np.linalg.solve(stiffness[np.ix_(free, free)], push[free])[-5])


def test_the_printed_continuum_element_locks_and_the_elastic_line_does_not() -> None:
    """A slender beam: with the strains of a plane continuum a fifth of the deflection or more is missing for ever, as
    the section cannot thin and widen as it bends; by the elastic line it comes to Timoshenko's.
    """
    bent, sheared = timoshenko(0.02, 1e-3)
    exact = bent + sheared
    printed = [continuum_deflection(n, 0.02, 1e-3) / exact for n in (8, 16, 32)]
    cured = [deflection(clamped(n, 0.02, 1e-3)) / exact for n in (8, 16, 32)]
    assert max(printed) < 0.93
    assert printed[-1] - printed[-2] < 0.01
    assert abs(cured[-1] - 1.0) < 5e-4
    assert abs(cured[0] - 1.0) < 6e-3

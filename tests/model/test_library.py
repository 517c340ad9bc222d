"""The numbers of the built-in models against their sources, worked out by other means than Condyle's geometry."""

from __future__ import annotations

import cmath
import math
from itertools import pairwise
from pathlib import Path

import pytest

import condyle
from condyle.model.declarations import ModelSpec

KNEES = ["planar-knee", "planar-knee-clearance", "planar-knee-polycentric"]
LIBRARY = Path(condyle.__file__).parent / "library"

# Machado 2010, Table 2: stiffness [N/m^2], rest length [m], allowed strain [-] and force [N].
TABLE_2 = {
    "MCL": (15e6, 0.0784, 0.17, 534.0),
    "LCL": (15e6, 0.0562, None, None),
    "ACL": (35e6, 0.0438, 0.22, 622.0),
    "PCL": (30e6, 0.0332, 0.19, 868.0),
}


def model(name: str) -> ModelSpec:
    return condyle.load(name).model


def placed(spec: ModelSpec, body: str, point: tuple[float, ...]) -> complex:
    """A point of a body in the global frame at the start."""
    held = spec.bodies[body]
    return complex(*held.position) + cmath.exp(1j * held.angle) * complex(*point)


def seen(spec: ModelSpec, body: str, point: complex) -> complex:
    """A global point in the frame of a body at the start."""
    held = spec.bodies[body]
    return (point - complex(*held.position)) * cmath.exp(-1j * held.angle)


@pytest.mark.parametrize("name", KNEES)
def test_bones_ligaments_and_cartilage_are_those_of_the_tables(name: str) -> None:
    spec = model(name)
    tibia, cartilage = spec.bodies["tibia"], spec.materials["cartilage"]
    assert (tibia.position, tibia.mass, tibia.inertia) == ((-0.2016, -0.1749), 3.75, 0.165)
    assert math.degrees(tibia.angle) == pytest.approx(35.21, rel=1e-14)
    assert (spec.bodies["femur"].fixed, spec.bodies["femur"].angle) == (True, 0.0)
    assert (cartilage.young, cartilage.poisson, cartilage.restitution, cartilage.friction) == (
        5e6,
        0.46,
        0.3,
        0.0,
    )
    found = {
        name: (s.law.stiffness, s.rest_length, s.allowed_strain, s.allowed_force)
        for name, s in spec.strands().items()
    }
    assert found == TABLE_2
    assert spec.gravity == (0.0, -9.81)


@pytest.mark.parametrize("name", KNEES)
def test_rest_lengths_are_the_distances_at_the_start(name: str) -> None:
    """The femur's angle of Table 1 is misprinted: with 90 deg the distances are off by millimetres."""
    spec = model(name)
    for strand in spec.strands().values():
        origin, insertion = (placed(spec, end.body, end.at) for end in (strand.origin, strand.insertion))
        assert abs(insertion - origin) == pytest.approx(strand.rest_length, abs=1e-4)
        turned = 1j * complex(*strand.origin.at)
        assert abs(abs(insertion - turned) - (strand.rest_length or 0.0)) > 3e-3


@pytest.mark.parametrize("name", KNEES)
def test_the_push_and_the_run(name: str) -> None:
    spec = model(name)
    pulse, run = spec.forces["pulse"], spec.run
    assert pulse.model_dump(include={"body", "at", "direction", "frame", "amplitude"}) == {
        "body": "tibia",
        "at": (0.0, 0.0),
        "direction": (1.0, 0.0),
        "frame": "body",
        "amplitude": 50.0,
    }
    assert pulse.course.model_dump() == {"kind": "decaying-sine", "duration": 0.05, "decay": 4.73}
    assert (run.duration, run.step, run.integrator, run.steps()) == (0.5, 1e-5, "rk-gill", 50_000)
    contact = spec.profile_contacts["tibiofemoral"]
    assert (contact.law.kind, contact.friction, contact.initial_gap) == ("hertz", None, 0.0)


@pytest.mark.parametrize("name", KNEES)
def test_flexion_at_the_start(name: str) -> None:
    spec = model(name)
    flexion = spec.measures["flexion"]
    angle = spec.bodies["tibia"].angle - spec.bodies["femur"].angle
    assert math.degrees(flexion.offset + flexion.sign * angle) == pytest.approx(54.79, rel=1e-13)


def test_the_plateau_just_touches_the_condyle() -> None:
    spec = model("planar-knee")
    line, circle = spec.profiles["plateau"].outline.line, spec.profiles["condyle"].outline.circle
    assert line is not None
    assert circle is not None
    assert (circle.radius, circle.center) == (0.04, (0.0, 0.0))
    assert seen(spec, "tibia", 0j).real - circle.radius == pytest.approx(line.start[0], abs=1e-10)
    assert (line.start[0], line.start[1], line.end[1]) == (line.end[0], 0.06, -0.06)


def test_the_bearing_touches_the_journal_where_the_plateau_would() -> None:
    spec = model("planar-knee-clearance")
    bearing = spec.profiles["plateau"].outline.circle
    assert bearing is not None
    assert bearing.hollow
    for variant in (spec, condyle.load("planar-knee-clearance", variant="tight").model):
        circle = variant.profiles["plateau"].outline.circle
        assert circle is not None
        distance = abs(complex(*circle.center) - seen(spec, "tibia", 0j))
        assert distance == pytest.approx(circle.radius - 0.04, abs=1e-9)
        assert circle.center[0] - circle.radius == pytest.approx(0.2255590813, abs=1e-12)
        assert variant.profile_contacts["tibiofemoral"].radii == (0.04, -circle.radius)


def arcs() -> list[tuple[complex, complex, complex]]:
    """Begin, centre and end of the arcs of the polycentric condyle, front to back."""
    path = model("planar-knee-polycentric").profiles["condyle"].outline.path
    assert path is not None
    begin, found = complex(*path.start), []
    for piece in path.pieces:
        assert piece.arc is not None
        assert piece.arc.clockwise
        found.append((begin, complex(*piece.arc.center), complex(*piece.arc.to)))
        begin = complex(*piece.arc.to)
    return found


def flexion_at(begin: complex, centre: complex) -> float:
    """Flexion [deg] at which the plateau touches there: the outward normal has the angle 270 deg - flexion."""
    return (270.0 - math.degrees(cmath.phase(begin - centre)) + 180.0) % 360.0 - 180.0


def test_the_radius_falls_from_front_to_back_as_measured() -> None:
    radii = [abs(begin - centre) for begin, centre, _ in arcs()]
    assert radii == pytest.approx([0.0385, 0.035, 0.028, 0.021, 0.0175], abs=1e-6)
    # Biscevic 2005: mean of the medial and the lateral condyle at 0 and at 90 deg.
    assert radii[0] == pytest.approx((0.045 + 0.032) / 2, abs=1e-6)
    assert radii[-1] == pytest.approx((0.017 + 0.018) / 2, abs=1e-6)
    begins = [flexion_at(begin, centre) for begin, centre, _ in arcs()]
    assert begins == pytest.approx([-90.0, 0.0, 30.0, 60.0, 90.0], abs=1e-2)


def test_arcs_meet_in_one_direction() -> None:
    for (_, centre, end), (begin, following, _) in pairwise(arcs()):
        assert end == begin
        assert cmath.phase((end - centre) / (begin - following)) == pytest.approx(0.0, abs=1e-5)
    for begin, centre, end in arcs():
        assert abs(end - centre) == pytest.approx(abs(begin - centre), abs=1e-7)


def test_the_polycentric_condyle_starts_where_the_circle_does() -> None:
    _, centre, _ = arcs()[2]
    spec = model("planar-knee-polycentric")
    normal = -cmath.exp(1j * spec.bodies["tibia"].angle)
    assert abs(centre + 0.028 * normal - 0.04 * normal) < 1e-7


@pytest.mark.parametrize("name", KNEES)
def test_posterior_is_where_the_comments_say(name: str) -> None:
    """With the leg straight, the tibia's second axis points to -x; the femoral insertions are on that side."""
    straight = cmath.exp(1j * math.pi / 2) * 1j
    assert straight == pytest.approx(-1.0)
    assert all(strand.origin.at[0] < 0.0 for strand in model(name).strands().values())


def test_small_models_start_as_they_say() -> None:
    ball = model("bouncing-ball")
    skin = ball.profiles["skin"].outline.circle
    assert skin is not None
    mass, inertia = ball.bodies["ball"].mass, ball.bodies["ball"].inertia
    assert inertia == pytest.approx(0.4 * (mass or 0.0) * skin.radius**2)
    for name, degrees in ((None, 30.0), ("small-swing", 5.0)):
        pendulum = condyle.load("pendulum", variant=name).model
        bob = complex(*pendulum.bodies["bob"].position)
        assert abs(bob) == pytest.approx(pendulum.strands()["cord"].rest_length, abs=1e-7)
        assert math.degrees(cmath.phase(bob * 1j)) == pytest.approx(degrees, abs=1e-5)


def test_files_keep_to_the_width_and_teach() -> None:
    for path in LIBRARY.rglob("*.yaml"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert max(map(len, lines)) <= 110, path.name
        assert sum("#" in line for line in lines) > 8, path.name
        assert sum(line.startswith("title: ") for line in lines) == 1

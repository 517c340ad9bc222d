"""What a model file can have wrong, and the words for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import condyle
from condyle.contact import outline_declarations
from condyle.geometry import sampling
from condyle.model.spec import parse
from condyle.spec.errors import SpecError
from condyle.spec.yaml import read_yaml
from model.small import TEXT, told, told_of

LAW = "contacts.tibiofemoral.law"
DAMPED = "lankarani-nikravesh, hunt-crossley, flores, gonthier, carvalho-martins, hu-guo and zhang-sharf"


def test_the_small_model_is_in_order() -> None:
    assert told({}) == []


CASES: list[tuple[dict[str, Any], str]] = [
    ({"ligaments.ACL.to.body": "tibai"}, "ligaments.ACL.to.body: no body 'tibai' (did you mean 'tibia'?)"),
    (
        {"bodies.tibia.mass": "40 mm"},
        "bodies.tibia.mass: expected a mass in kg, such as 3.75 or '3.75 kg'; got '40 mm'",
    ),
    # bodies
    ({"bodies.tibia.mass": 0}, "bodies.tibia.mass: expected a mass in kg above 0"),
    ({"bodies.tibia.mass": None}, "bodies.tibia.mass: missing; a body that is not fixed needs a mass in kg"),
    (
        {"bodies.tibia.inertia": None},
        "bodies.tibia.inertia: missing; a body that is not fixed needs a moment",
    ),
    (
        {"bodies.tibia.inertia": "-1 kg m^2"},
        "bodies.tibia.inertia: expected a moment of inertia in kg m^2 above 0",
    ),
    ({"bodies.tibia.angle": ".nan"}, "bodies.tibia.angle: expected an angle in rad that is finite"),
    ({"bodies.femur.velocity": [0, 1]}, "bodies.femur.velocity: a fixed body has no velocity"),
    (
        {"bodies.femur.angular_velocity": 1},
        "bodies.femur.angular_velocity: a fixed body has no angular velocity",
    ),
    ({"bodies.femur.fixed": "yes"}, "bodies.femur.fixed: expected true or false; got 'yes'"),
    ({"bodies.tibia.drawing": [[[0, 0]]]}, "bodies.tibia.drawing.0: expected at least 2 entries"),
    ({"bodies.tibia.weight": 1}, "bodies.tibia.weight: no such field"),
    ({"bodies.a b": {"fixed": True}}, "bodies.a b: a name is a letter followed by letters"),
    (
        {"bodies.tibia.fixed": True, "bodies.patella.fixed": True},
        "bodies: all are fixed; one at least must be free",
    ),
    # materials
    ({"materials.bone.young": 0}, "materials.bone.young: expected a stress in Pa above 0"),
    (
        {"materials.bone.poisson": 0.51},
        "materials.bone.poisson: expected Poisson's ratio above -1 and at most 0.5",
    ),
    ({"materials.bone.poisson": -1}, "materials.bone.poisson: expected Poisson's ratio above -1"),
    (
        {"materials.bone.restitution": 0},
        "materials.bone.restitution: expected a coefficient of restitution above 0",
    ),
    (
        {"materials.bone.young": 1e-70},
        "materials.bone.young: expected a stress in Pa of a size that can be computed with, 1e-60 to 1e+60",
    ),
    ({"materials.bone.young": "1e61 Pa"}, "materials.bone.young: expected a stress in Pa of a size"),
    ({"materials.bone.friction": -0.1}, "materials.bone.friction: expected a number of at least 0"),
    # profiles
    ({"profiles.condyle.body": "femr"}, "profiles.condyle.body: no body 'femr' (did you mean 'femur'?)"),
    (
        {"profiles.condyle.material": "bon"},
        "profiles.condyle.material: no material 'bon' (did you mean 'bone'?)",
    ),
    (
        {"profiles.condyle.outline": {}},
        "profiles.condyle.outline: expected one of circle, line, point, points, file or path",
    ),
    (
        {"profiles.condyle.outline.line": {"from": [0, 0], "to": [1, 0]}},
        "profiles.condyle.outline: expected one of circle, line, point, points, file or path; got circle and line",
    ),
    (
        {"profiles.condyle.outline.circle.radius": 0},
        "profiles.condyle.outline.circle.radius: expected a length in m",
    ),
    (
        {"profiles.condyle.outline.circle.samples": 7},
        "profiles.condyle.outline.circle.samples: expected a whole number of at least 8; got 7",
    ),
    (
        {"profiles.condyle.outline.circle.samples": 72.5},
        "profiles.condyle.outline.circle.samples: expected a whole number, such as 72; got 72.5",
    ),
    (
        {"profiles.plateau.outline.line.to": [0.03, 0.26]},
        "profiles.plateau.outline.line.to: the line ends where it begins",
    ),
    (
        {"profiles.facet.outline.points": [[0, 0], [1, 0], [2, 0]]},
        "profiles.facet.outline.points: expected at least 4",
    ),
    (
        {"profiles.facet.outline.points.1": [-0.005, -0.01]},
        "profiles.facet.outline.points.1: the same point as the one",
    ),
    (
        {"profiles.facet.interpolation": "exact"},
        "profiles.facet.interpolation: only a circle or a line can be exact",
    ),
    ({"profiles.plateau.closed": True}, "profiles.plateau.closed: a line is not closed"),
    ({"profiles.condyle.closed": False}, "profiles.condyle.closed: a circle is closed"),
    (
        {"profiles.facet.outward": [0, 0]},
        "profiles.facet.outward: expected a direction such as [1, 0]; got [0, 0]",
    ),
    ({"profiles.condyle.outward": [0, 1]}, "profiles.condyle.outward: a circle needs no direction"),
    (
        {"profiles.rim.outline.path.pieces.0.arc.to": [0, "11 mm"]},
        "profiles.rim.outline.path.pieces.0.arc.to: not on a circle: the arc is 0.01 m from its centre",
    ),
    (
        {"profiles.rim.outline.path.pieces.0.arc.center": [0.01, 0]},
        "profiles.rim.outline.path.pieces.0.arc.center: the arc begins at its own centre",
    ),
    (
        {"profiles.rim.outline.path.pieces.1.line.to": [0, 0.01]},
        "profiles.rim.outline.path.pieces.1.line.to: the line ends where it begins",
    ),
    (
        {"profiles.rim.outline.path.pieces.1": {}},
        "profiles.rim.outline.path.pieces.1: expected either line: or arc:",
    ),
    ({"profiles.rim.outline.path.pieces": []}, "profiles.rim.outline.path.pieces: expected at least 1"),
    # contacts
    (
        {"contacts.tibiofemoral.between.1": "plateu"},
        "contacts.tibiofemoral.between.1: no profile 'plateu' (did you mean",
    ),
    (
        {"contacts.tibiofemoral.between": "condyle"},
        "contacts.tibiofemoral.between: expected two, one for each side",
    ),
    (
        {"contacts.tibiofemoral.between": ["plateau", "plateau"]},
        "contacts.tibiofemoral.between: 'plateau' cannot touch itself; name two profiles",
    ),
    (
        {"contacts.patellofemoral.between": ["facet", "rim"]},
        "contacts.patellofemoral.between: both profiles are on 'patella'; a contact needs two bodies",
    ),
    (
        {"profiles.condyle.outline": {"line": {"from": [-1, 1], "to": [1, 1]}}},
        "contacts.tibiofemoral.between: two straight lines have no nearest point; one side must be curved",
    ),
    ({LAW: "hertzz"}, f"{LAW}: no contact law 'hertzz' (did you mean 'hertz'?)"),
    (
        {LAW: {"kind": "hertz", "restitution": 0.5}},
        f"{LAW}.restitution: hertz has no restitution; {DAMPED} have",
    ),
    (
        {LAW: "hertz", f"{LAW}.restitution": 0.5},
        f"{LAW}.restitution: hertz has no restitution; {DAMPED} have",
    ),
    ({f"{LAW}.damping": 3}, f"{LAW}.damping: lankarani-nikravesh has no damping; kelvin-voigt has"),
    ({f"{LAW}.stifness": 3}, f"{LAW}.stifness: no such field (did you mean 'stiffness'?)"),
    (
        {f"{LAW}.restitution": 1.5},
        f"{LAW}.restitution: expected a coefficient of restitution above 0 and at most 1",
    ),
    ({f"{LAW}.stiffness": "1e6 N/m"}, f"{LAW}.stiffness: expected a stiffness in N/m^1.5, such as 8.5e5"),
    (
        {f"{LAW}.exponent": 2, f"{LAW}.stiffness": "1 N/m^1.5"},
        f"{LAW}.stiffness: expected a stiffness in N/m^2",
    ),
    (
        {f"{LAW}.tension": "clamped"},
        f"{LAW}.tension: expected clamp or printed; got 'clamped' (did you mean 'clamp'?)",
    ),
    ({LAW: "kelvin-voigt"}, f"{LAW}.stiffness: missing"),
    (
        {"profiles.condyle.material": None},
        f"{LAW}: needs a stiffness, or a material for 'condyle' to find it from",
    ),
    (
        {"contacts.tibiofemoral.radii": ["flat", "flat"]},
        "contacts.tibiofemoral.radii: two flat sides have no stiffness",
    ),
    (
        {"contacts.tibiofemoral.radii": ["40 mm", "-30 mm"]},
        "contacts.tibiofemoral.radii: a hollow side must have a",
    ),
    (
        {"contacts.tibiofemoral.radii": ["flat", "-30 mm"]},
        "contacts.tibiofemoral.radii: a hollow side must have a",
    ),
    (
        {"contacts.tibiofemoral.radii": ["40 mm", "flt"]},
        "contacts.tibiofemoral.radii.1: expected a length in m that",
    ),
    (
        {"contacts.tibiofemoral.radii": [0, "flat"]},
        "contacts.tibiofemoral.radii.0: expected a length in m that is not 0",
    ),
    (
        {"contacts.tibiofemoral.spots": 5},
        "contacts.tibiofemoral.spots: expected a whole number of at most 4; got 5",
    ),
    ({"contacts.tibiofemoral.spots": True}, "contacts.tibiofemoral.spots: expected a whole number"),
    (
        {"contacts.tibiofemoral.friction": "coulomb"},
        "contacts.tibiofemoral.friction: needs a coefficient, or materials",
    ),
    ({"contacts.tibiofemoral.friction": "brown-mcphee"}, "contacts.tibiofemoral.friction.static: missing"),
    (
        {"contacts.tibiofemoral.friction": {"kind": "coulomb", "coefficient": 0.1, "slow": 0.1}},
        "contacts.tibiofemoral.friction.fast: expected at least slow, 0.1 m/s; got 0.001",
    ),
    (
        {"contacts.tibiofemoral.friction": {"kind": "brown-mcphee", "static": 0.1, "dynamic": 0.2}},
        "contacts.tibiofemoral.friction.static: expected at least dynamic, 0.2; got 0.1",
    ),
    # ligaments
    (
        {"ligaments.ACL.to.body": "femur"},
        "ligaments.ACL.to.body: both ends are on 'femur'; a ligament joins two bodies",
    ),
    ({"ligaments.ACL.law": None}, "ligaments.ACL.law: missing; a ligament needs from, to and law"),
    ({"ligaments.ACL.law": "quadratic"}, "ligaments.ACL.law.stiffness: missing"),
    ({"ligaments.ACL.law.stiffness": "3 N/m"}, "ligaments.ACL.law.stiffness: expected a stiffness in N/m^2"),
    (
        {"ligaments.ACL.law.linear_strain": 3},
        "ligaments.ACL.law.linear_strain: quadratic has no linear_strain; toe-linear",
    ),
    ({"ligaments.ACL.rest_length": 0}, "ligaments.ACL.rest_length: expected a length in m above 0"),
    ({"ligaments.ACL.reference_strain": -1}, "ligaments.ACL.reference_strain: expected a strain above -1"),
    (
        {"ligaments.ACL.rest_length": 0.03, "ligaments.ACL.reference_strain": 0.1},
        "ligaments.ACL.reference_strain: both rest_length and reference_strain are given; keep one",
    ),
    (
        {"ligaments.ACL.breaks": True, "ligaments.ACL.allowed_strain": None},
        "ligaments.ACL.breaks: a ligament that breaks needs allowed_strain or allowed_force",
    ),
    (
        {"ligaments.PCL.bundles.front.to": None},
        "ligaments.PCL.bundles.front.to: missing; a ligament needs from, to and",
    ),
    (
        {"ligaments.PCL.bundles.front.to.body": "femur"},
        "ligaments.PCL.bundles.front.to.body: both ends are on 'femur'",
    ),
    ({"ligaments.PCL.bundles.front.length": 3}, "ligaments.PCL.bundles.front.length: no such field"),
    # loads
    (
        {"forces.pulse": "force"},
        "forces.pulse: expected a load as a mapping with its kind (force, torque or effort)",
    ),
    ({"forces.pulse.body": "tibi"}, "forces.pulse.body: no body 'tibi' (did you mean 'tibia'?)"),
    (
        {"forces.pulse.direction": [0, 0]},
        "forces.pulse.direction: expected a direction such as [1, 0]; got [0, 0]",
    ),
    ({"forces.pulse.amplitude": "3 N m"}, "forces.pulse.amplitude: expected a force in N, such as 50"),
    ({"forces.twist.amplitude": "3 N"}, "forces.twist.amplitude: expected a torque in N m"),
    (
        {"forces.twist.direction": [1, 0]},
        "forces.twist.direction: a torque in the plane has no axis; for space set dimensions: 3",
    ),
    (
        {"forces.pulse.kind": "moment"},
        "forces.pulse.kind: no load 'moment'; there are force, torque and effort",
    ),
    ({"forces.pulse.course": "sine"}, "forces.pulse.course: no time course 'sine'"),
    ({"forces.pulse.course.duration": 0}, "forces.pulse.course.duration: expected a time in s above 0"),
    (
        {"forces.push.course.times": [0, 2, 1]},
        "forces.push.course.times.2: times must increase; got 1 after 2",
    ),
    (
        {"forces.push.course.times": [1, 1, 1]},
        "forces.push.course.times.2: times must increase; got 1 after 1",
    ),
    ({"forces.push.course.values": [1, 2]}, "forces.push.course.values: expected as many as times, 3; got 2"),
    ({"forces.push.course.times": [0]}, "forces.push.course.times: expected at least 2 entries"),
    # measures
    (
        {"measures.flexion.from": "tibia"},
        "measures.flexion.to: both bodies are 'tibia'; the angle is between two",
    ),
    (
        {"measures.flexion.unit": "mm"},
        "measures.flexion.unit: expected a unit that can stand for rad; got 'mm'",
    ),
    ({"measures.flexion.sign": 2}, "measures.flexion.sign: expected 1 or -1; got 2"),
    ({"measures.flexion.axis": "x"}, "measures.flexion.axis: angle has no axis; coordinate has"),
    (
        {"measures.flexion.kind": None},
        "measures.flexion.kind: missing; one of angle, distance, coordinate or rotation",
    ),
    ({"measures.height.in": "femr"}, "measures.height.in: no body 'femr' (did you mean 'femur'?)"),
    # the run
    ({"run.duration": 0}, "run.duration: expected a time in s above 0"),
    ({"run.step": -1}, "run.step: expected a time in s above 0"),
    ({"run.step": 1}, "run.step: longer than the duration, 0.05 s; got 1"),
    ({"run.output_step": 1}, "run.output_step: longer than the duration, 0.05 s; got 1"),
    ({"run.output_step": 1e-9}, "run.output_step: makes 5e+07 rows of results; take 1e-07 s or more"),
    (
        {"run.integrator": "rk5"},
        "run.integrator: expected rk-gill, rk4, dopri5, dopri8, radau, generalized-alpha, ida, adaptive or stiff; "
        "got 'rk5'",
    ),
    ({"run.relative_tolerance": 0}, "run.relative_tolerance: expected a number above 0 and below 1"),
    ({"run.step_budget": "many"}, "run.step_budget: expected a whole number"),
    # the whole
    ({"condyle": 2}, "condyle: this version reads model files of format 1; got 2"),
    ({"condyle": True}, "condyle: this version reads model files of format 1; got true"),
    ({"title": 5}, "title: expected text; got 5"),
    ({"title": "x" * 201}, "title: expected one line of at most 200 characters"),
    ({"title": '""'}, "title: expected one line"),
    ({"title": {"a": 1}}, "title: expected text; got a mapping"),
    ({"gravity": -9.81}, "gravity: expected two numbers [x, y] in m/s^2, such as [0.1, 0]; got -9.81"),
    ({"gravity": [0, "1 g"]}, "gravity.1: expected an acceleration in m/s^2"),
    ({"bodys": {}}, "bodys: no such field (did you mean 'bodies'?)"),
    ({"variants": {"fast": 3}}, "variants.fast: expected a mapping of names to what they stand for; got 3"),
]


@pytest.mark.parametrize(("changes", "message"), CASES, ids=[message.split(": ")[0] for _, message in CASES])
def test_one_mistake_is_told_in_one_way(changes: dict[str, Any], message: str) -> None:
    found = told(changes)
    assert any(problem.startswith(message) for problem in found), found
    # Nothing else is told but what follows from the same mistake, and never in pydantic's words.
    assert len(found) <= 2
    assert not [problem for problem in found if "Input should" in problem or "alid" in problem]


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    mistakes = [
        ("fixed: true", "fixed: true, mas: 3"),
        ("mass: 4 kg", "mass: 4 mm"),
        ("poisson: 0.46", "poisson: 0.64"),
        ("body: tibia, outline", "body: tibai, outline"),
        ("[condyle, plateau]", "[condyle, plateu]"),
        ("kind: quadratic", "kind: quadratik"),
        ("direction: [1, 0]", "direction: [1, 0, 0]"),
        ("axis: y", "axis: z"),
        ("duration: 0.05", "duration: -0.05"),
    ]
    text = TEXT
    for right, wrong in mistakes:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    assert [problem.split(": ")[0] for problem in told_of(text)] == [
        "bodies.femur.mas",
        "bodies.tibia.mass",
        "materials.cartilage.poisson",
        "profiles.plateau.body",
        "contacts.tibiofemoral.between.1",
        "ligaments.ACL.law.kind",
        "forces.pulse.direction",
        "measures.height.axis",
        "run.duration",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "file: expected a model: condyle: 1, title, bodies, run; the file is empty"),
        ("# only a comment", "file: expected a model: condyle: 1, title, bodies, run; the file is empty"),
        ("[1, 2]", "file: expected a model: condyle: 1, title, bodies, run; got [1, 2]"),
        ("knee", "file: expected a model: condyle: 1, title, bodies, run; got 'knee'"),
        ("a: b: c", "file:1: not valid YAML: mapping values are not allowed here"),
        ("{}", "condyle: missing: Version of the file's format: 1"),
    ],
)
def test_what_is_no_model_at_all(text: str, message: str) -> None:
    assert told_of(text)[0] == message


def test_every_variant_is_checked_when_the_file_is_read() -> None:
    text = TEXT.replace("forces.pulse.amplitude: 150", "forces.puls.amplitude: 150").replace(
        "contacts.tibiofemoral.law: hertz", "contacts.tibiofemoral.law: herz, about: 3"
    )
    assert told_of(text) == [
        "variants.strong: forces.puls.amplitude: no 'puls' in forces (did you mean 'pulse'?)",
        "variants.elastic.about: expected text; got 3",
        "variants.elastic: contacts.tibiofemoral.law: no contact law 'herz' (did you mean 'hertz'?)",
    ]


@pytest.mark.parametrize(
    "file", ["../x.csv", "/etc/passwd", "a/../../x.csv", "C:\\x.csv", "..\\x.csv", "", "\\0"]
)
def test_an_outline_file_stays_in_the_models_folder(file: str) -> None:
    found = told({"profiles.facet.outline": {"file": file}})
    assert "expected a path relative to the model file and below its folder" in found[0]


def test_an_outline_file_must_be_there(tmp_path: Path) -> None:
    text = TEXT.replace(TEXT[TEXT.index("      points:") : TEXT.index("  rim:")], "      file: facet.csv\n")
    (tmp_path / "knee.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match=r"facet\.outline\.file: no such file"):
        condyle.load(tmp_path / "knee.yaml")
    (tmp_path / "facet.csv").write_text("0, 1\n", encoding="utf-8")
    assert condyle.load(tmp_path / "knee.yaml").folder == tmp_path
    # Stored with results, a spec has no folder any more and must still be readable.
    assert parse(text).model.profiles["facet"].outline.file == "facet.csv"


def test_arcs_are_as_exact_as_their_sampling_demands() -> None:
    assert outline_declarations.ARC_TOLERANCE == sampling.ARC_TOLERANCE


def test_the_cases_start_from_what_is_right() -> None:
    """No case is about something that the small model does not have."""
    tree = read_yaml(TEXT)
    assert isinstance(tree, dict)
    for changes, _ in CASES:
        for path in changes:
            assert path.split(".")[0] in {*tree, "gravity", "bodys"}


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({}, "beams.rod: expected either from and to, or points"),
        ({"from": [0, 0]}, "beams.rod.to: missing; a straight beam needs from and to"),
        ({"from": [0.1, 0], "to": [0.1, 1e-14]}, "beams.rod.to: the beam ends where it begins"),
        ({"points": [[0, 0], [1, 0], [1, 1e-14]]}, "beams.rod.points.2: the same point as the one before"),
    ],
)
def test_a_beam_without_a_shape(shape: dict[str, Any], words: str) -> None:
    rod = {"axial_stiffness": 1e4, "bending_stiffness": 1, "mass_per_length": 0.1}
    assert told({"beams.rod": rod | shape}) == [words]
    assert told({"beams.rod": rod | {"from": [0.1, 0], "to": [0.1, 1e-9]}}) == []

"""What people do to mechanisms by mistake: an error that names the place, or a sentence that stays in the results."""

from __future__ import annotations

from typing import Any

import pytest

import condyle
from beam_models import beam, end_force, free_beam, held_beam, still
from condyle.model.spec import Spec
from condyle.spec.errors import SpecError
from mechanism_models import GROUND, joint, pin
from reference.beams import Beam
from small_models import Section, ball_on_ground, bow, held, hertz, model, rod, run

ARM: Section = {**GROUND, "arm": {"mass": 1.0, "inertia": 0.1}}
PIN: Section = {"p": pin("ground", (0.0, 0.0), "arm", (-1.0, 0.0))}
TURN: Section = {"turn": {"kind": "angle", "from": "ground", "to": "arm", "unit": "rad"}}


def driven(motion: Section, **settings: Any) -> Spec:
    """An arm on a pin whose angle is driven."""
    drivers = {"motor": {"measure": "turn", "motion": motion}}
    return model(ARM, run(1.0, 1e-3, **settings), joints=PIN, measures=TURN, drivers=drivers)


def table(times: list[float], values: list[float]) -> Section:
    return {"kind": "table", "times": times, "values": values}


def sprung(**more: Any) -> Spec:
    """A body on a spring."""
    spring = {"kind": "translational", "from": held("ground", -1.0), "to": held("arm"), **more}
    return model(ARM, run(0.1, 1e-3), springs={"s": spring})


def held_rod(**more: Any) -> Spec:
    """A body on a rod whose ends are at one place."""
    return model(
        ARM, run(0.1, 1e-3), joints={"r": joint("distance", "ground", (0.0, 0.0), "arm", (0.0, 0.0), **more)}
    )


def refusal(make: Any) -> str:
    """What the error says."""
    with pytest.raises(SpecError) as error:
        condyle.simulate(make())
    return str(error.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(
            lambda: model(
                ARM, run(0.1, 1e-3), joints=PIN | {"q": pin("ground", (3.0, 0.0), "arm", (1.0, 0.0))}
            ),
            "joints.p: cannot be met: its place along x stays off by 0.5",
            id="impossible assembly",
        ),
        pytest.param(held_rod, "joints.r.length: missing; its points meet", id="rod of no length"),
        pytest.param(lambda: held_rod(length=0.0), "joints.r.length: expected a length", id="zero rod"),
        pytest.param(lambda: held_rod(length=-0.1), "joints.r.length: expected a length", id="negative rod"),
        pytest.param(
            lambda: held_rod(length=0.5),
            "joints.r: the two points meet as the file places them, so their distance has no direction; place one",
            id="rod without direction",
        ),
        pytest.param(
            lambda: free_beam(rod((0.0, 0.0), (0.0, 0.0)), run(0.1, 1e-3)),
            "beams.bar.to: the beam ends where it begins",
            id="beam of no length",
        ),
        pytest.param(
            lambda: free_beam(rod(elements=0), run(0.1, 1e-3)),
            "beams.bar.elements: expected a whole number of at least 1; got 0",
            id="no elements",
        ),
        pytest.param(
            lambda: sprung(stiffness=-10.0), "springs.s.stiffness: expected a stiffness", id="stiffness"
        ),
        pytest.param(
            lambda: sprung(stiffness=1.0, damping=-1.0), "springs.s.damping: expected a damping", id="damping"
        ),
        pytest.param(
            lambda: free_beam({**rod(), "axial_stiffness": -1.0}, run(0.1, 1e-3)),
            "beams.bar.axial_stiffness: expected a stiffness",
            id="stiffness of a beam",
        ),
        pytest.param(
            lambda: driven(table([0.0, 0.5, 0.5, 1.0], [0.0, 0.0, 1.0, 1.0])),
            "drivers.motor.motion.times.2: times must increase, since a driver cannot jump",
            id="driver that teleports",
        ),
        pytest.param(
            lambda: driven(table([0.0, 0.1, 0.2, 0.3], [0.0, 0.1, 0.3, 0.1])),
            "drivers.motor.motion.times: end at 0.3 s, before the run does, 1 s; add instants or shorten run.duration",
            id="driver that ends early",
        ),
        pytest.param(
            lambda: driven(table([0.5, 0.6, 0.7, 1.0], [0.0, 0.1, 0.3, 0.1])),
            "drivers.motor.motion.times: begin at 0.5 s; a driver must know where to be from the start on",
            id="driver that begins late",
        ),
    ],
)
def test_a_mistake_that_is_refused(make: Any, words: str) -> None:
    assert words in refusal(make)


def test_a_table_may_end_just_when_the_run_does() -> None:
    assert condyle.simulate(driven(table([0.0, 0.4, 0.8, 1.0], [0.0, 0.1, 0.3, 0.1]))).complete


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(
            lambda: held_beam(
                "weld", beam(Beam(1.0, 1.0, 1e5), 2), still(), forces={"load": end_force(10.0, 1j)}
            ),
            ["beam 'bar' bent by 73 deg within one element; beyond 50 deg", "try beams.bar.elements: 3"],
            id="too few elements",
        ),
        pytest.param(
            lambda: free_beam(bow(1, angle=3.0), run(0.01, 1e-3)),
            ["beam 'bar' bent by 172 deg within one element", "try beams.bar.elements: 4"],
            id="too few elements for its shape",
        ),
        pytest.param(
            lambda: sprung(table={"elongations": [-0.1, 0.0, 0.1, 0.2], "forces": [-3.0, 0.0, -3.0, 4.0]}),
            ["spring 's' has a negative stiffness between 0 and 0.1 m", "check the signs of its table"],
            id="negative stiffness by a table",
        ),
        pytest.param(
            lambda: driven(table([0.0, 0.5, 0.50001, 1.0], [0.0, 0.0, 1.0, 1.0])),
            ["joints.p: its place along", "the run's steps are too long for the motion"],
            id="driver that nearly teleports",
        ),
        pytest.param(
            lambda: ball_on_ground(hertz(), run(0.01, 1e-4), height=-0.01),
            ["contact 'touch' starts 10 mm deep, with 4 J stored in it", "contacts.touch.initial_gap: 0"],
            id="contact that starts deep",
        ),
    ],
)
def test_a_mistake_that_is_told(make: Any, words: list[str]) -> None:
    notes = condyle.simulate(make()).audit.notes
    for word in words:
        assert any(word in note for note in notes), notes


@pytest.mark.parametrize("name", ["four-bar", "double-pendulum", "cantilever", "flexible-pendulum"])
def test_what_is_right_is_not_told_of(name: str) -> None:
    """No variant of a built-in model, which all run to their end."""
    spec = condyle.load(name)
    for variant in (spec, *(spec.variant(one) for one in spec.model.variants)):
        duration = min(variant.model.run.duration, 0.5)
        results = condyle.simulate(variant.updated({"run.duration": duration}))
        assert results.complete, results.status
        assert not [
            note for note in results.audit.notes if "was off by" in note or "within one element" in note
        ]

"""How fast Exudyn marches the elastic slider-crank: explicit with penalty pins, or implicit with constraints.

"penalty": every joint is a spring and the system an ordinary differential equation for RK44. The prescribed angle of
the crank is the coordinate of a mass so large (1e12 kg) that it moves uniformly: Exudyn's spring-dampers know no
moving end that is compiled. The contact is `ObjectContactCoordinate`, compiled, with the exponent 1.5 and the
Hunt-Crossley factor set so that the law is ours (see `slider_exudyn.add_contact`); it does not clamp the force.
"implicit": the model of `slider_exudyn`, without contact, by generalised alpha with modified Newton.

Everything that costs time and is not asked for is off: range checks, files, accelerations at the end of a step. Two
sensors store the pin B and the rod's middle every `output_step`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.peers.slider_exudyn import (
    Built,
    Method,
    add_block,
    add_cables,
    add_contact,
    add_crank,
    add_slider,
    build,
    item_classes,
    settings,
)
from benchmarks.work import QUADRATURES, Answer, Penalty, Slider

UNMOVED = 1e12


@dataclass(frozen=True)
class Choice:
    """What may be chosen for speed.

    contact: only in the form "penalty", the other has none. sparse: `EigenSparse` in place of Exudyn's own dense
    solver. The rest is for the form "implicit"; tolerances are those of Newton's method.
    """

    contact: bool = True
    sparse: bool = False
    relative_tolerance: float = 1e-5
    absolute_tolerance: float = 1e-8
    spectral_radius: float = 0.9
    solver: str = "index3"


FASTEST = {"penalty": Choice(), "implicit": Choice(sparse=True)}


def add_pin(system: Any, markers: list[int], penalty: Penalty) -> None:
    """Two points held together in x and y."""
    items = item_classes()
    stiffness = [penalty.stiffness, penalty.stiffness, 0]
    system.AddObject(items.ObjectConnectorCartesianSpringDamper(markerNumbers=markers, stiffness=stiffness))


def build_penalty(system: Any, case: Slider, penalty: Penalty, choice: Choice) -> Built:
    """The mechanism without constraints."""
    items = item_classes()
    built = Built()
    ground_node = system.AddNode(items.NodePointGround())
    ground = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground_node, coordinate=0))
    origin = system.AddMarker(items.MarkerNodePosition(nodeNumber=ground_node))
    pivot = add_crank(system, case, built)
    add_cables(system, case, QUADRATURES.index(penalty.quadrature), built)
    pin, x, y = add_slider(system, case, built)
    add_pin(system, [origin, pivot], penalty)
    add_pin(system, [built.crank_tip, built.rod_start], penalty)
    add_pin(system, [pin, built.rod_end], penalty)
    system.AddObject(
        items.ObjectConnectorCoordinateSpringDamper(markerNumbers=[ground, y], stiffness=penalty.stiffness)
    )
    clock = system.AddNode(items.Node1D(referenceCoordinates=[0.0], initialVelocities=[case.speed]))
    system.AddObject(items.ObjectMass1D(nodeNumber=clock, mass=UNMOVED))
    angle = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=clock, coordinate=0))
    drive = {"stiffness": penalty.drive_stiffness, "damping": penalty.drive_damping}
    system.AddObject(
        items.ObjectConnectorCoordinateSpringDamper(markerNumbers=[angle, built.crank_coordinate], **drive)
    )
    if choice.contact:
        face = add_block(system, case, ground, built) if case.variant == "flexible-spring" else ground
        add_contact(system, case, [face, x], None)
    return built


def tuned(case: Slider, choice: Choice) -> tuple[Any, Any]:
    """Settings and solver of the implicit form; `penalty` takes the settings with RK44."""
    import exudyn

    method = Method(
        solver=choice.solver,
        spectral_radius=choice.spectral_radius,
        relative_tolerance=choice.relative_tolerance,
        absolute_tolerance=choice.absolute_tolerance,
    )
    chosen, kind = settings(case, method)
    chosen.timeIntegration.explicit.computeEndOfStepAccelerations = False
    chosen.timeIntegration.explicit.useLieGroupIntegration = False
    chosen.timeIntegration.explicit.eliminateConstraints = False
    if choice.sparse:
        chosen.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
        chosen.linearSolver.reuseAnalyzedPattern = True
    return chosen, kind


def simulate(case: Slider, form: str, choice: Choice, penalty: Penalty) -> tuple[Any, Any]:
    """Two functions: one runs the case from its start, one reads the histories (time, x_B, x_mid, y_mid)."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # where Exudyn looks for "no range checks"
    import exudyn

    items, kinds = item_classes(), exudyn.OutputVariableType
    system = exudyn.SystemContainer().AddSystem()
    if form == "penalty":
        built = build_penalty(system, case, penalty, choice)
    else:
        built = build(system, case, Method(reduced=QUADRATURES.index(penalty.quadrature)), None)
    stored = {"storeInternal": True, "writeToFile": False, "outputVariableType": kinds.Position}
    sensors = [
        system.AddSensor(items.SensorNode(nodeNumber=node, **stored)) for node in (built.slider, built.middle)
    ]
    system.Assemble()
    chosen, kind = tuned(case, choice)
    if form == "penalty":
        kind = exudyn.DynamicSolverType.RK44

    def run() -> None:
        system.SolveDynamic(chosen, solverType=kind)

    def read() -> dict[str, NDArray[np.float64]]:
        pin, middle = (np.array(system.GetSensorStoredData(sensor)) for sensor in sensors)
        return {"time": pin[:, 0], "x_B": pin[:, 1], "x_mid": middle[:, 1], "y_mid": middle[:, 2]}

    return run, read


def named(case: Slider, form: str, choice: Choice, penalty: Penalty) -> str:
    """What the row is called."""
    if form == "penalty":
        return f"Exudyn, penalty pins, RK44, {penalty.points}"
    tolerances = f"tolerances {choice.relative_tolerance:g} and {choice.absolute_tolerance:g}"
    return f"Exudyn, generalised alpha at {case.step:g} s, {tolerances}{case.often}"


def main() -> None:
    """Run and answer; the curve is the slider's position."""
    given = task()
    form = given.pop("form", "penalty")
    choice = replace(FASTEST[form], **given.pop("choice", {}))
    penalty = Penalty(**{"quadrature": QUADRATURES[0], **given.pop("penalty", {})})
    case = Slider(**given)
    name = named(case, form, choice, penalty)
    try:
        import exudyn
    except ImportError:
        send(Answer(name, absent="exudyn is not installed (dependency group `bench`)"))
        return
    run, read = simulate(case, form, choice, penalty)
    times, _ = timed(run, case.repeats)
    found = read()
    more = {"y_mid": floats(found["y_mid"])}
    send(Answer(name, f"exudyn {exudyn.__version__}", times, floats(found["x_B"]), more=more))


if __name__ == "__main__":
    main()

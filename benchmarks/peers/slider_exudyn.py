"""The slider-crank in Exudyn: joints as constraints, an implicit solver, the contact law as a user function.

The rod: planar gradient-deficient ANCF cables (`ObjectANCFCable2D`), axial strain |r'| - 1, curvature
(r' x r'')/|r'|^2, both integrated along the undeformed length with EA and EI; `useReducedOrderIntegration` chooses the
points, see `work.QUADRATURES`.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Slider


@dataclass(frozen=True)
class Method:
    """How Exudyn integrates.

    solver: "index3" (generalised alpha, damped) or "trapezoidal" (index 2, undamped). reduced:
    `useReducedOrderIntegration` of the cables.
    """

    solver: str = "index3"
    spectral_radius: float = 0.9
    reduced: int = 0
    modified_newton: bool = True
    relative_tolerance: float = 1e-8
    absolute_tolerance: float = 1e-10


@dataclass
class Contact:
    """The law with its memory: the rate at the onset of the episode that is under way, located within a step.

    Between two steps the depth is taken as the cubic through depths and rates at both ends.
    """

    law: Slider
    depth: float = -1.0
    rate: float = 0.0
    time: float = 0.0
    open: bool = True
    onset_rate: float = 0.0
    onsets: list[tuple[float, float]] = field(default_factory=list)
    releases: list[float] = field(default_factory=list)
    peak: tuple[float, float] = (0.0, 0.0)
    deepest: float = 0.0

    def crossing(self, time: float, depth: float, rate: float) -> tuple[float, float]:
        """Time and rate at which the depth passed zero since the last finished step."""
        width = time - self.time
        fall, rise = width * self.rate, width * rate
        cubic = (2.0 * (self.depth - depth) + fall + rise, 3.0 * (depth - self.depth) - 2.0 * fall - rise)
        part = self.depth / (self.depth - depth)
        for _ in range(8):
            value = ((cubic[0] * part + cubic[1]) * part + fall) * part + self.depth
            slope = (3.0 * cubic[0] * part + 2.0 * cubic[1]) * part + fall
            if slope <= 0.0:
                break
            part = min(1.0, max(0.0, part - value / slope))
        slope = (3.0 * cubic[0] * part + 2.0 * cubic[1]) * part + fall
        return self.time + part * width, slope / width

    def force(self, time: float, depth: float, rate: float) -> float:
        """The law, never pulling."""
        if depth <= 0.0:
            return 0.0
        onset = self.onset_rate
        if self.open and self.depth < 0.0 and time > self.time:
            onset = self.crossing(time, depth, rate)[1]
        if onset <= 0.0:
            return 0.0  # only in iterates: a step that ends in contact has crossed at a positive rate
        factor = 1.0 + self.law.hysteresis * rate / onset
        return self.law.stiffness * depth * math.sqrt(depth) * factor if factor > 0.0 else 0.0

    def finish(self, time: float, depth: float, rate: float) -> float:
        """Take note of the end of a step; returns the force there."""
        if depth > 0.0 and self.open:
            begin, self.onset_rate = self.crossing(time, depth, rate)
            self.onsets.append((begin, self.onset_rate))
            self.open = False
        elif depth <= 0.0 and not self.open:
            self.releases.append(time)
            self.open = True
        self.time, self.depth, self.rate = time, depth, rate
        if depth <= 0.0:
            return 0.0
        force = self.force(time, depth, rate)
        self.deepest = max(self.deepest, depth)
        if force > self.peak[0]:
            self.peak = (force, time)
        return force


@dataclass(frozen=True)
class Outcome:
    """Histories every `output_step`, and what was seen at all steps."""

    columns: dict[str, NDArray[np.float64]]
    contact: Contact


def item_classes() -> Any:
    """Exudyn's nodes, bodies, markers and connectors."""
    return import_module("exudyn.itemInterface")


@dataclass
class Built:
    """Numbers of the items that are asked later."""

    middle: int = -1  # node at, or body in, the middle of the rod
    slider: int = -1
    crank_coordinate: int = -1  # marker of the crank's angle
    crank_tip: int = -1
    rod_start: int = -1
    rod_end: int = -1
    pin_a: int = -1
    pin_b: int = -1
    drive: int = -1
    block: int = -1
    contact: int = -1
    crank: int = -1


def add_weight(system: Any, body: int, gravity: float) -> None:
    """Gravity on one body."""
    items = item_classes()
    mass = system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
    system.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=[0, -gravity, 0]))


def add_crank(system: Any, case: Slider, built: Built) -> int:
    """The crank, without its joints; returns the marker of its pivot."""
    items = item_classes()
    length, mass = case.crank_length, case.crank_mass
    node = system.AddNode(
        items.NodeRigidBody2D(
            referenceCoordinates=[0, -length / 2, -math.pi / 2],
            initialVelocities=[case.start_speed / 2, 0, case.speed],
        )
    )
    built.crank = node
    body = system.AddObject(
        items.ObjectRigidBody2D(nodeNumber=node, mass=mass, inertia=mass * length**2 / 12)
    )
    add_weight(system, body, case.gravity)
    built.crank_coordinate = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
    built.crank_tip = system.AddMarker(
        items.MarkerBodyPosition(bodyNumber=body, localPosition=[length / 2, 0, 0])
    )
    return int(system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[-length / 2, 0, 0])))


def add_cables(system: Any, case: Slider, reduced: int, built: Built) -> None:
    """The elastic rod, straight from A to B."""
    items = item_classes()
    count, length = case.elements, case.rod_length
    along = [case.start_pin / length, case.crank_length / length]
    nodes = [
        system.AddNode(
            items.NodePoint2DSlope1(
                referenceCoordinates=[part * case.start_pin, (part - 1.0) * case.crank_length, *along],
                initialVelocities=[case.start_speed, 0, 0, 0],
            )
        )
        for part in np.linspace(0.0, 1.0, count + 1)
    ]
    for pair in pairwise(nodes):
        cable = items.ObjectANCFCable2D(
            length=length / count,
            massPerLength=case.rod_mass / length,
            axialStiffness=case.axial,
            bendingStiffness=case.bending,
            nodeNumbers=list(pair),
            useReducedOrderIntegration=reduced,
        )
        add_weight(system, system.AddObject(cable), case.gravity)
    built.middle = nodes[count // 2]
    built.rod_start = system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[0]))
    built.rod_end = system.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[-1]))


def add_rigid_rod(system: Any, case: Slider, built: Built) -> None:
    """The rigid rod from A to B."""
    items = item_classes()
    length, mass = case.rod_length, case.rod_mass
    angle = math.asin(case.crank_length / length)
    node = system.AddNode(
        items.NodeRigidBody2D(
            referenceCoordinates=[case.start_pin / 2, -case.crank_length / 2, angle],
            initialVelocities=[case.start_speed, 0, 0],
        )
    )
    body = system.AddObject(
        items.ObjectRigidBody2D(nodeNumber=node, mass=mass, inertia=mass * length**2 / 12)
    )
    add_weight(system, body, case.gravity)
    built.middle = node
    built.rod_start, built.rod_end = (
        system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[place, 0, 0]))
        for place in (-length / 2, length / 2)
    )


def add_slider(system: Any, case: Slider, built: Built) -> tuple[int, int, int]:
    """The slider, which cannot turn: a point mass at pin B; returns markers of the pin, of x and of y."""
    items = item_classes()
    node = system.AddNode(
        items.NodePoint2D(referenceCoordinates=[case.start_pin, 0], initialVelocities=[case.start_speed, 0])
    )
    body = system.AddObject(items.ObjectMassPoint2D(nodeNumber=node, mass=case.slider_mass))
    add_weight(system, body, case.gravity)
    built.slider = node
    x, y = (
        system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=place)) for place in (0, 1)
    )
    return int(system.AddMarker(items.MarkerNodePosition(nodeNumber=node))), int(x), int(y)


def add_block(system: Any, case: Slider, ground: int, built: Built) -> int:
    """The block that carries the face; returns the marker of its coordinate."""
    items = item_classes()
    node = system.AddNode(items.Node1D(referenceCoordinates=[0.0]))
    system.AddObject(items.ObjectMass1D(nodeNumber=node, mass=case.block_mass))
    built.block = int(node)
    marker = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    system.AddObject(
        items.ObjectConnectorCoordinateSpringDamper(
            markerNumbers=[ground, marker], stiffness=case.block_stiffness, damping=case.block_damping
        )
    )
    return int(marker)


def add_contact(system: Any, case: Slider, markers: list[int], contact: Contact | None) -> int:
    """The contact between the face's coordinate and the slider's: the law above, or Exudyn's own.

    Exudyn's Hunt-Crossley force is k d^n (1 + 1.5 (1 - e) rate / rate at onset); e is chosen so that it is ours.
    """
    items = item_classes()
    if contact is None:
        memory = items.NodeGenericData(numberOfDataCoordinates=2, initialCoordinates=[case.start_gap, 0.0])
        # its gap is value[1] - value[0] - offset, so the slider comes first
        own = items.ObjectContactCoordinate(
            markerNumbers=markers[::-1],
            nodeNumber=system.AddNode(memory),
            contactStiffness=case.stiffness,
            contactStiffnessExponent=1.5,
            impactModel=1,
            restitutionCoefficient=1.0 - case.hysteresis / 1.5,
            offset=-case.start_gap,
        )
        return int(system.AddObject(own))

    def force(_mbs: Any, time: float, _item: int, apart: float, rate: float, *_rest: float) -> float:
        return contact.force(time, apart - case.start_gap, rate)

    law = items.ObjectConnectorCoordinateSpringDamper(markerNumbers=markers, springForceUserFunction=force)
    return int(system.AddObject(law))


def build(system: Any, case: Slider, method: Method, contact: Contact | None) -> Built:
    """The whole mechanism; without `contact` there is none."""
    items = item_classes()
    built = Built()
    ground_node = system.AddNode(items.NodePointGround())
    ground = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground_node, coordinate=0))
    origin = system.AddMarker(items.MarkerNodePosition(nodeNumber=ground_node))
    pivot = add_crank(system, case, built)
    if case.variant == "rigid":
        add_rigid_rod(system, case, built)
    else:
        add_cables(system, case, method.reduced, built)
    pin, x, y = add_slider(system, case, built)
    system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[origin, pivot]))
    built.pin_a = system.AddObject(
        items.ObjectJointRevolute2D(markerNumbers=[built.crank_tip, built.rod_start])
    )
    built.pin_b = system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[pin, built.rod_end]))
    built.drive = system.AddObject(
        items.ObjectConnectorCoordinate(
            markerNumbers=[ground, built.crank_coordinate], velocityLevel=True, offset=case.speed
        )
    )
    system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[ground, y]))
    if contact:
        face = add_block(system, case, ground, built) if case.variant == "flexible-spring" else ground
        built.contact = add_contact(system, case, [face, x], contact)
    return built


def settings(case: Slider, method: Method) -> tuple[Any, Any]:
    """Fixed steps, no files; returns the settings and the kind of solver."""
    import exudyn

    chosen = exudyn.SimulationSettings()
    march = chosen.timeIntegration
    march.numberOfSteps = case.steps
    march.endTime = case.duration
    march.verboseMode = 0
    march.adaptiveStep = False
    march.discontinuous.useRecommendedStepSize = False
    march.newton.useModifiedNewton = method.modified_newton
    march.newton.relativeTolerance = method.relative_tolerance
    march.newton.absoluteTolerance = method.absolute_tolerance
    march.generalizedAlpha.spectralRadius = method.spectral_radius
    chosen.solution.file.write = False
    chosen.solution.sensors.writePeriod = case.output_step
    kinds = exudyn.DynamicSolverType
    return chosen, kinds.TrapezoidalIndex2 if method.solver == "trapezoidal" else kinds.GeneralizedAlpha


def add_sensors(system: Any, built: Built) -> dict[str, tuple[int, int]]:
    """What is stored: name -> (sensor, column)."""
    import exudyn

    items, kinds = item_classes(), exudyn.OutputVariableType
    stored = {"storeInternal": True, "writeToFile": False}

    def of_node(node: int, kind: Any) -> int:
        return int(system.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=kind, **stored)))

    def of_object(number: int, kind: Any) -> int:
        return int(
            system.AddSensor(items.SensorObject(objectNumber=number, outputVariableType=kind, **stored))
        )

    slider, middle = of_node(built.slider, kinds.Position), of_node(built.middle, kinds.Position)
    found = {
        "x_B": (slider, 1),
        "x_mid": (middle, 1),
        "y_mid": (middle, 2),
        "v_B": (of_node(built.slider, kinds.Velocity), 1),
        "torque": (of_object(built.drive, kinds.Force), 1),
        "force": (of_object(built.contact, kinds.Force), 1),
    }
    for name, joint in (("A", built.pin_a), ("B", built.pin_b)):
        pin = of_object(joint, kinds.Force)
        found[f"{name}_x"], found[f"{name}_y"] = (pin, 1), (pin, 2)
    if built.block >= 0:
        found["x_block"] = (of_node(built.block, kinds.Coordinates), 1)
    return found


def solve(case: Slider, method: Method) -> Outcome:
    """One run, its histories and what the contact saw."""
    import exudyn

    kinds = exudyn.OutputVariableType
    contact = Contact(case)
    system = exudyn.SystemContainer().AddSystem()
    built = build(system, case, method, contact)
    sensors = add_sensors(system, built)
    system.Assemble()

    def after(mbs: Any, time: float) -> bool:
        apart = mbs.GetObjectOutput(built.contact, kinds.Displacement)
        rate = mbs.GetObjectOutput(built.contact, kinds.Velocity)
        contact.finish(time, apart - case.start_gap, rate)
        return True

    contact.depth, contact.rate = -case.start_gap, case.start_speed
    system.SetPostStepUserFunction(after)
    chosen, kind = settings(case, method)
    if not system.SolveDynamic(chosen, solverType=kind):
        raise RuntimeError("Exudyn gave up")
    data = {number: system.GetSensorStoredData(number) for number in {one for one, _ in sensors.values()}}
    columns = {"time": np.array(data[sensors["x_B"][0]][:, 0])}
    for name, (number, place) in sensors.items():
        multiplier = name == "torque" or name.startswith(
            ("A_", "B_")
        )  # on the left of the equations of motion
        columns[name] = np.array(data[number][:, place]) * (-1.0 if multiplier else 1.0)
    return Outcome(columns, contact)


def main() -> None:
    """Run and answer; the curve is the place of the slider's pin."""
    given = task()
    method = Method(**given.pop("method", {}))
    case = Slider(**given)
    name = f"Exudyn, {case.variant}"
    sys.exudynFast = True  # type: ignore[attr-defined]  # where Exudyn looks for "no range checks"
    try:
        import exudyn
    except ImportError:
        send(Answer(name, absent="exudyn is not installed (dependency group `bench`)"))
        return
    times, outcome = timed(lambda: solve(case, method), case.repeats)
    more = {"y_mid": floats(outcome.columns["y_mid"]), "peak": floats(outcome.contact.peak)}
    send(Answer(name, f"exudyn {exudyn.__version__}", times, floats(outcome.columns["x_B"]), more=more))


if __name__ == "__main__":
    main()

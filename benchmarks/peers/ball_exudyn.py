"""Exudyn's explicit RK44 on the ball: a sphere on a triangle, or its one-dimensional contact spring.

Everything that costs time and is not asked for is off: range checks (the "fast" build), edges of the
triangle, solution files, accelerations at the end of a step. One sensor stores the height as often as the
others store theirs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Ball

NAMES = {
    "plane-body": "Exudyn, planar rigid body on a triangle",
    "mass-point": "Exudyn, mass point (3D) on a triangle",
    "plane-point": "Exudyn, mass point (2D) on a triangle",
    "spring": "Exudyn, one-dimensional contact spring",
}


def item_classes() -> Any:
    """Exudyn's nodes, bodies, markers and connectors."""
    return import_module("exudyn.itemInterface")


def add_body(system: Any, ball: Ball, body: str) -> tuple[int, int]:
    """The ball as one of Exudyn's bodies, its height in y (2D) or z; returns its node and a marker."""
    items = item_classes()
    height = ball.gap + ball.radius
    if body == "plane-body":
        node = system.AddNode(items.NodeRigidBody2D(referenceCoordinates=[0, height, 0]))
        item = system.AddObject(
            items.ObjectRigidBody2D(nodeNumber=node, mass=ball.mass, inertia=ball.inertia)
        )
        return node, system.AddMarker(items.MarkerBodyRigid(bodyNumber=item))
    if body == "plane-point":
        node = system.AddNode(items.NodePoint2D(referenceCoordinates=[0, height]))
        item = system.AddObject(items.ObjectMassPoint2D(nodeNumber=node, mass=ball.mass))
    else:
        node = system.AddNode(items.NodePoint(referenceCoordinates=[0, 0, height]))
        item = system.AddObject(items.ObjectMassPoint(nodeNumber=node, mass=ball.mass))
    return node, system.AddMarker(items.MarkerBodyPosition(bodyNumber=item))


def add_sphere_on_triangle(system: Any, ball: Ball, body: str) -> int:
    """The ball above a triangle fixed to the ground; returns the ball's node."""
    import exudyn

    items = item_classes()
    node, centre = add_body(system, ball, body)
    ground = system.AddMarker(items.MarkerBodyRigid(bodyNumber=system.AddObject(items.ObjectGround())))
    weight, flat = -ball.mass * ball.gravity, body.startswith("plane")
    triangle = [[-5, 0, 5], [5, 0, 5], [0, 0, -5]] if flat else [[-5, -5, 0], [5, -5, 0], [0, 5, 0]]
    load = [0, weight, 0] if flat else [0, 0, weight]
    system.AddLoad(items.LoadForceVector(markerNumber=centre, loadVector=load))
    memory = items.NodeGenericData(numberOfDataCoordinates=4, initialCoordinates=[ball.gap, 0, 0, 0])
    system.AddObject(
        items.ObjectContactSphereTriangle(
            markerNumbers=[centre, ground],
            nodeNumber=system.AddNode(memory),
            sphereRadius=ball.radius,
            trianglePoints=exudyn.Vector3DList(triangle),
            includeEdges=0,
            contactStiffness=ball.stiffness,
            contactStiffnessExponent=1.5,
        )
    )
    return node


def add_contact_spring(system: Any, ball: Ball) -> int:
    """One coordinate, the gap, against a fixed one; returns its node."""
    items = item_classes()
    node = system.AddNode(items.Node1D(referenceCoordinates=[0.0], initialCoordinates=[ball.gap]))
    system.AddObject(items.ObjectMass1D(nodeNumber=node, mass=ball.mass))
    mass = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    fixed = system.AddNode(items.NodePointGround())
    ground = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0))
    system.AddLoad(items.LoadCoordinate(markerNumber=mass, load=-ball.mass * ball.gravity))
    memory = system.AddNode(items.NodeGenericData(numberOfDataCoordinates=1, initialCoordinates=[ball.gap]))
    system.AddObject(
        items.ObjectContactCoordinate(
            markerNumbers=[ground, mass],
            nodeNumber=memory,
            contactStiffness=ball.stiffness,
            contactStiffnessExponent=1.5,
        )
    )
    return int(node)


def settings(ball: Ball) -> Any:
    """Fixed steps, no files, no checks beyond need."""
    import exudyn

    chosen = exudyn.SimulationSettings()
    chosen.timeIntegration.numberOfSteps = ball.steps
    chosen.timeIntegration.endTime = ball.duration
    chosen.timeIntegration.verboseMode = 0
    chosen.timeIntegration.explicit.computeEndOfStepAccelerations = False
    chosen.solution.file.write = False
    chosen.solution.sensors.writePeriod = ball.output_step
    return chosen


def answer(ball: Ball, body: str) -> Answer:
    """Build the system, solve it repeatedly from the same start, read the sensor."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # where Exudyn looks for "no range checks"
    try:
        import exudyn
    except ImportError:
        return Answer(NAMES[body], absent="exudyn is not installed (dependency group `bench`)")
    items, container = item_classes(), exudyn.SystemContainer()
    system = container.AddSystem()
    node = (
        add_contact_spring(system, ball) if body == "spring" else add_sphere_on_triangle(system, ball, body)
    )
    coordinates = exudyn.OutputVariableType.Coordinates
    stored = {"storeInternal": True, "writeToFile": False}
    sensor = system.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=coordinates, **stored))
    system.Assemble()
    chosen, method = settings(ball), exudyn.DynamicSolverType.RK44
    times, _ = timed(lambda: system.SolveDynamic(chosen, solverType=method), ball.repeats)
    place = {"plane-body": 2, "plane-point": 2, "mass-point": 3, "spring": 1}[body]
    heights = system.GetSensorStoredData(sensor)[:, place]
    gaps = heights if body == "spring" else heights + ball.gap  # coordinates count from the reference
    return Answer(NAMES[body], f"exudyn {exudyn.__version__}", times, floats(gaps))


def main() -> None:
    """Run and answer."""
    given = task()
    body = given.pop("body")
    send(answer(Ball(**given), body))


if __name__ == "__main__":
    main()

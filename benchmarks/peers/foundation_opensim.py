"""OpenSim's `ElasticFoundationForce` between the same sphere and block.

It puts a spring on each face of both meshes and takes half of each. A run sets the pose and realizes the dynamics, in
which the force is computed; there is one free body and nothing else.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.peers.foundation_condyle import BLOCK
from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Foundation
from condyle.geometry.mesh.shapes import box, icosphere
from condyle.geometry.mesh.surface import SurfaceMesh

NAME = "OpenSim, ElasticFoundationForce, both"


def written(mesh: SurfaceMesh, path: Path) -> str:
    """An OBJ file of a surface."""
    lines = ["v {:.17g} {:.17g} {:.17g}".format(*place) for place in mesh.vertices.tolist()]
    lines += ["f {} {} {}".format(*corners) for corners in (mesh.faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def build(opensim: Any, case: Foundation, folder: Path) -> tuple[Any, Any, Any]:
    """The model, its free joint and the force."""
    model = opensim.Model()
    model.setGravity(opensim.Vec3(0))
    ball = opensim.Body("ball", 1.0, opensim.Vec3(0), opensim.Inertia(1e-3))
    joint = opensim.FreeJoint("joint", model.getGround(), ball)
    model.addBody(ball)
    model.addJoint(joint)
    sphere = written(icosphere(case.radius, case.level), folder / "sphere.obj")
    block = written(box(BLOCK, case.cells), folder / "block.obj")
    zero = opensim.Vec3(0)
    model.addContactGeometry(opensim.ContactMesh(sphere, zero, zero, ball, "sphere"))
    model.addContactGeometry(opensim.ContactMesh(block, zero, zero, model.getGround(), "block"))
    force = opensim.ElasticFoundationForce()
    force.setName("foundation")
    force.addGeometry("sphere")
    force.addGeometry("block")
    force.setStiffness(case.modulus)
    for name in ("Dissipation", "StaticFriction", "DynamicFriction", "ViscousFriction"):
        getattr(force, f"set{name}")(0.0)
    model.addForce(force)
    return model, joint, force


def main() -> None:
    """Run and answer; the curve is the upward force, `exact` what its law gives without faces."""
    case = Foundation(**task())
    try:
        import opensim
    except ImportError:
        send(Answer(NAME, absent="opensim is not installed (dependency group `bench`)"))
        return
    opensim.Logger.setLevelString("error")
    with tempfile.TemporaryDirectory() as folder:
        model, joint, force = build(opensim, case, Path(folder))
        state = model.initSystem()
    coordinates = [joint.get_coordinates(k) for k in range(6)]

    def place(depth: float, angles: tuple[float, float, float]) -> None:
        height = case.radius - depth + BLOCK[1] / 2.0
        for coordinate, value in zip(coordinates, (*angles, 0.001, height, 0.0), strict=True):
            coordinate.setValue(state, value, False)
        model.realizeDynamics(state)

    def run() -> None:
        for _ in range(case.passes):
            for depth, angles in case.poses:
                place(depth, angles)

    times, _ = timed(run, case.repeats)
    forces = []
    for depth, angles in case.poses:
        place(depth, angles)
        forces.append(force.getRecordValues(state).get(1))
    exact = floats(case.exact(depth, "opensim") for depth, _ in case.poses)
    send(Answer(NAME, f"opensim {opensim.GetVersion()}", times, floats(forces), more={"exact": exact}))


if __name__ == "__main__":
    main()

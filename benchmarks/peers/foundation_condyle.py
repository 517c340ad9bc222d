"""Condyle's elastic foundation between a sphere and a block of triangles."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import condyle
from benchmarks.peers.process import floats, send, task, timed
from benchmarks.work import Answer, Foundation
from condyle.contact.foundation.load import FoundationSettings, foundation_of, motion_of, outputs_for
from condyle.contact.foundation.pair import fill_pair
from condyle.contact.foundation.surface import scratch_for, surface_of
from condyle.geometry.mesh.shapes import box, icosphere
from condyle.laws.foundation.layers import volume_law

BLOCK = (0.06, 0.02, 0.06)


def main() -> None:
    """Run and answer; the curve is the upward force, `exact` what it would be without faces."""
    case = Foundation(**task())
    ball = surface_of(icosphere(case.radius, case.level), smooth=case.smooth)
    block = surface_of(box(BLOCK, case.cells), smooth=case.smooth)
    settings = FoundationSettings(volume_law(case.modulus), integrate=case.integrate)  # type: ignore[arg-type]
    foundation, outputs = foundation_of(settings), outputs_for(ball, block)
    scratches = scratch_for(ball), scratch_for(block)
    turns = [Rotation.from_euler("XYZ", angles).as_matrix() for _, angles in case.poses]
    heights = [case.radius - depth + BLOCK[1] / 2.0 for depth, _ in case.poses]
    motions = [motion_of(R, (0.001, height, 0.0)) for R, height in zip(turns, heights, strict=True)]

    forces = np.zeros((len(motions), 3))

    def run() -> None:
        for _ in range(case.passes):
            for k, motion in enumerate(motions):
                fill_pair(ball, block, motion, foundation, *scratches, outputs)
                forces[k] = outputs.loads[0, :3]

    times, _ = timed(run, case.repeats)
    sides = {"first": ("sphere",), "second": ("plate",), "both": ("sphere", "plate")}[case.integrate]
    exact = [sum(case.exact(depth, side) for side in sides) / len(sides) for depth, _ in case.poses]
    shape, which = "smooth" if case.smooth else "flat", {"first": "sphere", "second": "block"}.get(case.integrate, "both")
    curve = floats((R @ force)[1] for R, force in zip(turns, forces, strict=True))
    more = {"exact": floats(exact)}
    send(Answer(f"Condyle, {shape}, {which} integrated", f"condyle {condyle.__version__}", times, curve, more=more))


if __name__ == "__main__":
    main()

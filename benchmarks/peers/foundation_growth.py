"""Condyle's elastic foundation with the same patch in contact while the meshes grow, and what they need of memory.

"wide": a plate of faces of one size, wider and wider, under one sphere. "fine": the same for the sphere and the plate
turned round, the plate refined all over, so that more of its faces touch.
"""

from __future__ import annotations

import math
import resource

import numpy as np

import condyle
from benchmarks.peers.process import send, task, timed
from benchmarks.work import EVALUATIONS, Answer
from condyle.contact.foundation.load import FoundationSettings, foundation_of, motion_of, outputs_for
from condyle.contact.foundation.pair import fill_pair
from condyle.contact.foundation.surface import N_TOUCHING, scratch_for, surface_of
from condyle.geometry.mesh.shapes import icosphere, plate
from condyle.laws.foundation.layers import volume_law

CELL = 1.5e-3


def main() -> None:
    """Run and answer: faces of the plate, faces in contact, peak memory [MiB]; a run is `EVALUATIONS`."""
    given = task()
    cells, side = math.isqrt(given["faces"] // 2), given["integrate"]
    width = CELL * cells if given["growth"] == "wide" else 0.06
    ball, floor = surface_of(icosphere(0.02, 4)), surface_of(plate(width, width, cells, cells))
    foundation = foundation_of(FoundationSettings(volume_law(1e9), integrate=side))
    scratches, outputs = (scratch_for(ball), scratch_for(floor)), outputs_for(ball, floor)
    motions = [motion_of(np.eye(3), (3e-6 * k, 0.019, 5e-6 * k)) for k in range(EVALUATIONS)]

    def run() -> None:
        for motion in motions:
            fill_pair(ball, floor, motion, foundation, *scratches, outputs)

    times, _ = timed(run, given["repeats"])
    touching = sum(int(scratch.counts[N_TOUCHING]) for scratch in scratches)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    more: dict[str, tuple[float, ...]] = {
        "faces": (float(len(floor.faces)),),
        "touching": (float(touching),),
        "memory": (memory,),
    }
    which = "sphere" if side == "first" else "plate"
    send(Answer(f"{given['growth']}, {which} integrated", f"condyle {condyle.__version__}", times, more=more))


if __name__ == "__main__":
    main()

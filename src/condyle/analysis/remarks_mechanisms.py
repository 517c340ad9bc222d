"""What a reader should know about the joints, beams and springs of a run: sentences that name them and what to try."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from condyle.analysis.assembly import owner
from condyle.analysis.observe import beam_states
from condyle.analysis.trajectory import Trajectory
from condyle.beams.mesh import BeamMesh
from condyle.mechanics.system import EQUATIONS, Array
from condyle.model.compiled import CompiledModel
from condyle.multibody.equations import LARGEST_MISS
from condyle.multibody.spring_declarations import ForceTableSpec, TorqueTableSpec

# A joint that was off by more than this is worth telling [m or rad].
APART = 1e-5
# An element bent by more than this [rad] is too long: the tip of a slender cantilever is off by a hundredth of it then.
BENT = np.radians(50.0)


def remarks_on_mechanisms(trajectory: Trajectory) -> Iterator[str]:
    """Joints that came apart, beams of too few elements, springs that push on."""
    yield from _joints_apart(trajectory)
    yield from _beams_of_few_elements(trajectory)
    yield from _springs_that_weaken(trajectory.model)


def _joints_apart(trajectory: Trajectory) -> Iterator[str]:
    model = trajectory.model
    miss = trajectory.final.memory[model.rows(EQUATIONS), LARGEST_MISS]
    if miss.max(initial=0.0) > APART:
        worst = model.equations[int(np.argmax(miss))]
        yield (
            f"{owner(model, worst.owner)}: its {worst.what} was off by {miss.max():.3g} at most; the run's steps are "
            "too long for the motion: try a smaller run.step or tighter tolerances"
        )


def _beams_of_few_elements(trajectory: Trajectory) -> Iterator[str]:
    states = beam_states(trajectory.model, trajectory.y)
    for name, (mesh, pairs, _) in zip(trajectory.model.meshes, states, strict=True):
        turn = float(np.nanmax(_turns(mesh, pairs)))
        if turn > BENT:
            count = int(np.ceil(mesh.count * turn / BENT))
            yield (
                f"beam '{name}' bent by {np.degrees(turn):.0f} deg within one element; beyond "
                f"{np.degrees(BENT):.0f} deg its shape is rough: try beams.{name}.elements: {count}"
            )


def _turns(mesh: BeamMesh, pairs: Array) -> Array:
    """Angle between the directions at the ends of each element [rad], shape (n_element, n)."""
    directions = []
    for k in range(mesh.count + 1):
        first, _, weights, _ = mesh.weights_at(k / mesh.count)
        directions.append(np.einsum("p,npa->na", weights, pairs[:, first : first + len(weights)]) @ [1.0, 1j])
    return np.abs(np.angle(np.array(directions[1:]) * np.conj(directions[:-1])))


def _springs_that_weaken(model: CompiledModel) -> Iterator[str]:
    for name, spring in model.spec.model.springs.items():
        if isinstance(spring.table, ForceTableSpec):
            start, efforts, unit = spring.table.elongations, spring.table.forces, "m"
        elif isinstance(spring.table, TorqueTableSpec):
            start, efforts, unit = spring.table.angles, spring.table.torques, "rad"
        else:
            continue
        falls = np.flatnonzero(np.diff(efforts) < 0.0)
        if falls.size:
            first, last = start[int(falls[0])], start[int(falls[-1]) + 1]
            yield (
                f"spring '{name}' has a negative stiffness between {first:g} and {last:g} {unit}: there it pushes on "
                "in whatever way it is moved; check the signs of its table if that is not meant"
            )

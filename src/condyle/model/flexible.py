"""Declared beams and frames as rows."""

from __future__ import annotations

import numpy as np

from condyle.beams import columns
from condyle.beams.mesh import BeamMesh, cable_mesh
from condyle.beams.shearable_mesh import shearable_mesh
from condyle.mechanics import frames
from condyle.mechanics.system import BEAMS, FRAMES, Array, Integers
from condyle.model.declarations import ModelSpec
from condyle.model.pool import Pool

KINDS = {"cable": columns.CABLE, "shear-deformable": columns.SHEARABLE}


def beam_meshes(model: ModelSpec) -> dict[str, BeamMesh]:
    """The mesh of every beam."""
    meshes: dict[str, BeamMesh] = {}
    for name, beam in model.beams.items():
        line = np.array([beam.start, beam.end] if beam.points is None else beam.points, dtype=float)
        axial, bending, _ = beam.stiffness
        mesh = cable_mesh if beam.kind == "cable" else shearable_mesh
        meshes[name] = mesh(line, beam.elements, beam.line_density, bending / axial)
    return meshes


def beam_start(model: ModelSpec, meshes: dict[str, BeamMesh]) -> tuple[Array, Array]:
    """Coordinates and rates of all beams at the start, shape (n,) each."""
    places, speeds = [np.zeros(0)], [np.zeros(0)]
    for name, beam in model.beams.items():
        coordinates = meshes[name].coordinates
        turned = beam.angular_velocity * (coordinates @ np.array([[0.0, 1.0], [-1.0, 0.0]]))
        # Places turn about the beginning, slopes about nothing.
        step = meshes[name].node_pairs
        turned[::step] -= beam.angular_velocity * (coordinates[0] @ np.array([[0.0, 1.0], [-1.0, 0.0]]))
        turned[::step] += beam.velocity
        places.append(coordinates.ravel())
        speeds.append(turned.ravel())
    return np.concatenate(places), np.concatenate(speeds)


def fill_beams(
    model: ModelSpec,
    meshes: dict[str, BeamMesh],
    first: int,
    layout: Integers,
    index: Integers,
    value: Array,
    pool: Pool,
) -> None:
    """Fill the rows of all beams, whose coordinates begin at `first`, and of the frames they carry."""
    for number, (name, beam) in enumerate(model.beams.items()):
        mesh, row = meshes[name], int(layout[BEAMS]) + number
        count, point = len(mesh.coordinates), len(mesh.shapes)
        index[row, columns.KIND] = KINDS[beam.kind]
        index[row, columns.FIRST], index[row, columns.N_PAIR] = first, count
        index[row, columns.N_ELEMENT], index[row, columns.N_POINT] = mesh.count, point
        index[row, columns.SHAPES], index[row, columns.REST] = pool.add(mesh.shapes), pool.add(mesh.rest)
        index[row, columns.WEIGHT], index[row, columns.FACTOR] = (
            pool.add(mesh.weight),
            pool.add(mesh.factor()),
        )
        index[row, columns.DAMPED] = beam.damping > 0.0
        index[row, columns.MASS], index[row, columns.N_NODE_PAIR] = (
            pool.add(mesh.mass_rows()),
            mesh.node_pairs,
        )
        value[row, [columns.AXIAL, columns.BENDING, columns.SHEAR]] = beam.stiffness
        value[row, columns.DAMPING], value[row, columns.ELEMENT] = beam.damping, mesh.length
        _fill_frames(model, name, row, mesh, layout, index, value, pool)
        first += 2 * count


def _fill_frames(
    model: ModelSpec,
    beam: str,
    carrier: int,
    mesh: BeamMesh,
    layout: Integers,
    index: Integers,
    value: Array,
    pool: Pool,
) -> None:
    """Fill the rows of the frames on one beam."""
    carried = [(k, frame) for k, frame in enumerate(model.frames.values()) if frame.beam == beam]
    if not carried:
        return
    count, begin = len(mesh.coordinates), int(index[carrier, columns.FIRST])
    # Weights of places and directions in turn, one column each.
    weights = np.zeros((count, 2 * len(carried)))
    for number, (k, frame) in enumerate(carried):
        row = int(layout[FRAMES]) + k
        first, place, slope, turned = mesh.weights_at(frame.along or 0.0)
        weights[first : first + len(place), 2 * number] = place
        weights[first : first + len(slope), 2 * number + 1] = slope
        index[row, frames.CARRIER], index[row, frames.NUMBER] = carrier, number
        index[row, frames.N_FRAME], index[row, frames.N_PAIR] = len(carried), len(place)
        index[row, frames.FIRST] = begin + 2 * first
        index[row, frames.CARRIER_FIRST], index[row, frames.N_CARRIER] = begin, count
        value[row, frames.PLACE : frames.PLACE + len(place)] = place
        value[row, frames.DIRECTION : frames.DIRECTION + len(slope)] = slope
        value[row, frames.TURNED] = turned
    response = mesh.responses(weights)
    table = (weights.T @ response).reshape(len(carried), 2, len(carried), 2).transpose(0, 2, 1, 3)
    mobility = pool.add(table)
    for number, (k, _) in enumerate(carried):
        row = int(layout[FRAMES]) + k
        index[row, frames.MOBILITY] = mobility
        index[row, frames.RESPONSE] = pool.add(response[:, 2 * number : 2 * number + 2].T)

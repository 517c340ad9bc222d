"""Surfaces made of other surfaces."""

from __future__ import annotations

import numpy as np

from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.geometry.mesh.topology import edge_runs, half_edges


def refined(mesh: SurfaceMesh) -> SurfaceMesh:
    """Each face cut into four at the middles of its edges; the parts stay."""
    runs = edge_runs(mesh.faces)
    start, end = half_edges(mesh.faces)
    one = runs.order[runs.first]
    middles = (mesh.vertices[start[one]] + mesh.vertices[end[one]]) / 2.0
    number = np.empty(len(start), dtype=np.int64)
    number[runs.order] = mesh.n_vertex + np.repeat(np.arange(len(one)), runs.n_faces)
    a, b, c = mesh.faces.T
    a_b, b_c, c_a = number.reshape(-1, 3).T
    corners = [(a, a_b, c_a), (a_b, b, b_c), (c_a, b_c, c), (a_b, b_c, c_a)]
    faces = np.stack([np.stack(corner, axis=1) for corner in corners], axis=1).reshape(-1, 3)
    return SurfaceMesh(
        np.concatenate([mesh.vertices, middles]), faces, np.repeat(mesh.part, 4), mesh.part_names
    )

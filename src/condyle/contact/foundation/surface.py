"""What the elastic foundation needs of a surface of triangles: plain arrays, one compiled form for all surfaces."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.geometry.mesh.tree import SearchTree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# A vertex's normal that leans farther than this from a face's own does not bend that face: there is an edge between.
CREASE = np.cos(np.radians(40.0))


class Surface(NamedTuple):
    """A surface as the kernels read it; all arrays are read-only, faces in the mesh's order.

    tree : the mesh's search tree.
    balls : centre and radius [m] of a ball around the faces of each node of the tree, shape (n_node, 4).
    rims : 1 for a node of the tree with a face at the border, shape (n_node,).
    vertices : places [m], shape (n_vertex, 3).
    vertex_normals : unit normals, shape (n_vertex, 3).
    border : 1 for a vertex at the border of an open surface, shape (n_vertex,).
    faces : vertices of each face, shape (n_face, 3).
    face_vectors : outward normals as long as the areas [m^2], shape (n_face, 3).
    corner_normals : normals at the corners of each face that its depths bend after, shape (n_face, 9).
    neighbours : the face across each edge, -1 at the border, shape (n_face, 3).
    part : the part that each face belongs to, shape (n_face,).
    n_part : how many parts there are.
    is_open : 1 for a surface with a border.
    smooth : 1 for a surface bent after its vertices' normals, 0 for flat faces.
    rise : no less than the height of the smooth surface above its faces [m].
    """

    tree: SearchTree
    balls: Array
    rims: Indices
    vertices: Array
    vertex_normals: Array
    border: Indices
    faces: Indices
    face_vectors: Array
    corner_normals: Array
    neighbours: Indices
    part: Indices
    n_part: int
    is_open: int
    smooth: int
    rise: float


class Scratch(NamedTuple):
    """What a sweep over a surface writes; arrays in the surface's order.

    depth : depth of each vertex seen [m], its gradient in the surface's axes, and 1 where the nearest place is beyond
        the other surface's border, shape (n_vertex, 5).
    nearest : face of the other surface nearest to each vertex seen, -1 for the others, shape (n_vertex,).
    seen : the vertices seen, shape (n_vertex,).
    face_load : integral of the pressure [N], area in contact [m^2], centre of pressure [m] of each face, and the part
        that it counts to, zero for those that do not touch, shape (n_face, 6).
    touching : the faces that touch, shape (n_face,).
    counts : how many vertices were seen and how many faces touch, shape (2,).
    sums : of one face, see `pressure`.
    spare : by how much the surface may move, from `reference` on, before a node of its tree can touch [m]: below zero
        where the node is near, not a number where nothing is known, shape (n_node,). It saves looking, nothing else.
    reference : rotation, and place of the surface's middle [m], seen from the other surface, shape (12,).
    """

    depth: Array
    nearest: Indices
    seen: Indices
    face_load: Array
    touching: Indices
    counts: Indices
    sums: Array
    spare: Array
    reference: Array


# Columns of `Scratch.face_load`, and counters of `Scratch.counts`.
FACE_LOAD, FACE_AREA, FACE_X, FACE_Y, FACE_Z, FACE_PART, N_FACE_LOAD = 0, 1, 2, 3, 4, 5, 6
N_SEEN, N_TOUCHING = 0, 1
# Columns of `Scratch.sums`.
N_SUM = 16
# Numbers of `Scratch.reference`.
N_REFERENCE = 12


def surface_of(mesh: SurfaceMesh, *, smooth: bool = True) -> Surface:
    """A mesh as the kernels read it: `smooth`, bent after the normals of its vertices, or with flat faces."""
    corner_normals = _corner_normals(mesh)
    edges = np.roll(mesh.corners, -1, axis=1) - mesh.corners
    following = np.roll(corner_normals, -1, axis=1)
    leaving, arriving = (np.einsum("fki,fki->fk", edges, n) for n in (corner_normals, following))
    bend = np.linalg.norm(arriving[..., None] * following - leaving[..., None] * corner_normals, axis=2) / 2.0
    at_border = mesh.neighbours < 0
    border = np.zeros(mesh.n_vertex, dtype=np.int64)
    border[mesh.faces[at_border]] = border[np.roll(mesh.faces, -1, axis=1)[at_border]] = 1
    corner_normals = corner_normals.reshape(-1, 9)
    rims = _gathered(mesh.tree, border[mesh.faces].max(axis=1)[mesh.tree.face], np.maximum)
    balls = _balls(mesh.tree)
    for array in (border, corner_normals, rims, balls):
        array.flags.writeable = False
    return Surface(
        tree=mesh.tree,
        balls=balls,
        rims=rims,
        vertices=mesh.vertices,
        vertex_normals=mesh.vertex_normals,
        border=border,
        faces=mesh.faces,
        face_vectors=mesh.face_vectors,
        corner_normals=corner_normals,
        neighbours=mesh.neighbours,
        part=mesh.part,
        n_part=len(mesh.part_names),
        is_open=int(at_border.any()),
        smooth=int(smooth),
        rise=float(bend.sum(axis=1).max()) / 4.0 if smooth else 0.0,
    )


def _corner_normals(mesh: SurfaceMesh) -> Array:
    """Vertex normals at the corners of each face, the face's own where they lean too far, shape (n_face, 3, 3)."""
    own = np.repeat(mesh.face_normals[:, None, :], 3, axis=1)
    corner_normals = mesh.vertex_normals[mesh.faces]
    leans = np.einsum("fki,fki->fk", corner_normals, own) < CREASE
    return np.where(leans[..., None], own, corner_normals)


def _gathered(tree: SearchTree, values: NDArray[Any], gather: np.ufunc) -> NDArray[Any]:
    """Values of faces in the tree's order, gathered over the faces of each node, shape (n_node,)."""
    n_leaf = len(tree.begin) - 1
    nodes = np.zeros(2 * n_leaf, dtype=values.dtype)
    nodes[n_leaf:] = gather.reduceat(values, tree.begin[:-1])
    while n_leaf > 1:
        nodes[n_leaf // 2 : n_leaf] = gather(
            nodes[n_leaf : 2 * n_leaf : 2], nodes[n_leaf + 1 : 2 * n_leaf : 2]
        )
        n_leaf //= 2
    return nodes


def _balls(tree: SearchTree) -> Array:
    """Balls around the middles of the tree's boxes, as small as the corners in them allow, shape (n_node, 4)."""
    n_leaf = len(tree.begin) - 1
    corners = tree.corners.reshape(-1, 3, 3)
    balls = np.zeros((2 * n_leaf, 4))
    balls[:, :3] = (tree.boxes[:, :3] + tree.boxes[:, 3:]) / 2.0
    count = 1
    while count <= n_leaf:
        first = tree.begin[:: n_leaf // count]
        middles = np.repeat(balls[count : 2 * count, :3], np.diff(first), axis=0)
        far = np.linalg.norm(corners - middles[:, None, :], axis=2).max(axis=1)
        balls[count : 2 * count, 3] = np.maximum.reduceat(far, first[:-1])
        count *= 2
    return balls


def scratch_for(surface: Surface) -> Scratch:
    """Scratch for sweeps over a surface."""
    n_vertex, n_face = len(surface.vertices), len(surface.faces)
    return Scratch(
        depth=np.full((n_vertex, 5), np.nan),
        nearest=np.full(n_vertex, -1),
        seen=np.zeros(n_vertex, dtype=np.int64),
        face_load=np.zeros((n_face, N_FACE_LOAD)),
        touching=np.zeros(n_face, dtype=np.int64),
        counts=np.zeros(2, dtype=np.int64),
        sums=np.zeros(N_SUM),
        spare=np.full(len(surface.tree.boxes), np.nan),
        reference=np.full(N_REFERENCE, np.inf),
    )

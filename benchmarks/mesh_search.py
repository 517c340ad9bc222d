"""Time of a search on a surface, and what the surface takes to build and to keep: `python -m benchmarks.mesh_search`.

The surfaces are spheres of 20 mm cut along meridians and parallels. The places asked for lie half a millimetre inside:
on a winding path, one near the last as the faces of a contact are, and at random, which finds nothing in the
processor's cache. Hints are the answers for the same places a micrometre before.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from condyle.geometry.mesh.closest import fill_closest
from condyle.geometry.mesh.nearness import near_faces
from condyle.geometry.mesh.rays import fill_hits
from condyle.geometry.mesh.shapes import icosphere, plate, uv_sphere
from condyle.geometry.mesh.surface import SurfaceMesh

Array = NDArray[np.float64]

N_QUERY = 20_000
RADIUS = 0.02
SIZES = {5_120: (64, 41), 80_000: (200, 201), 500_000: (500, 501)}
ROUNDS = 7


def best(task: Callable[[], object]) -> float:
    """Shortest of some runs [s]: the others were disturbed."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def directions(kind: str) -> Array:
    if kind == "random":
        vectors = np.random.default_rng(1).normal(size=(N_QUERY, 3))
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    turn = np.linspace(0.0, 2.0 * np.pi, N_QUERY)
    return np.stack(
        [
            np.cos(3.0 * turn) * np.cos(5.0 * turn),
            np.sin(5.0 * turn),
            np.sin(3.0 * turn) * np.cos(5.0 * turn),
        ],
        axis=1,
    )


def closest_times(mesh: SurfaceMesh, way: Array) -> tuple[float, float]:
    """Microseconds of a closest point without and with hints."""
    near, moved = way * (RADIUS - 0.0005), way * (RADIUS - 0.0005) + 1e-6
    hints, places = np.full(N_QUERY, -1), np.empty((N_QUERY, 3))
    cold = best(lambda: fill_closest(mesh.tree, near, np.full(N_QUERY, -1), places))
    fill_closest(mesh.tree, near, hints, places)
    warm = best(lambda: fill_closest(mesh.tree, moved, hints, places))
    return cold / N_QUERY * 1e6, warm / N_QUERY * 1e6


def ray_times(mesh: SurfaceMesh, way: Array) -> tuple[float, float]:
    """Microseconds of a hit within a millimetre in both senses, without and with hints."""
    near, moved, reach = way * (RADIUS - 0.0005), way * (RADIUS - 0.0005) + 1e-6, (-0.001, 0.001)
    hints, places = np.full(N_QUERY, -1), np.empty((N_QUERY, 4))
    cold = best(lambda: fill_hits(mesh.tree, near, way, reach, 0, np.full(N_QUERY, -1), places))
    fill_hits(mesh.tree, near, way, reach, 0, hints, places)
    warm = best(lambda: fill_hits(mesh.tree, moved, way, reach, 0, hints, places))
    return cold / N_QUERY * 1e6, warm / N_QUERY * 1e6


def build_times(mesh: SurfaceMesh) -> str:
    """Seconds of what a contact needs of a surface, each made afresh."""
    parts = {}
    for name in ("tree", "neighbours", "vertex_normals", "smooth_normals"):
        start = time.perf_counter()
        getattr(mesh, name)
        parts[name] = time.perf_counter() - start
    return ", ".join(f"{name} {seconds:.2f} s" for name, seconds in parts.items())


def main() -> None:
    """Print all tables."""
    warm = uv_sphere(RADIUS, 8, 8)
    for times in (closest_times, ray_times):
        times(warm, directions("path"))
    print(build_times(warm), "(with loading)")
    print("\nfaces    places   closest point [us], hinted   hit of a line [us], hinted")
    for n_face, cut in SIZES.items():
        mesh = uv_sphere(RADIUS, *cut)
        told = build_times(mesh)
        for kind in ("path", "random"):
            point, line = closest_times(mesh, directions(kind)), ray_times(mesh, directions(kind))
            print(f"{n_face:7} {kind:8} {point[0]:8.2f} {point[1]:8.2f} {line[0]:14.2f} {line[1]:8.2f}")
        arrays = [mesh.vertices, mesh.faces, mesh.neighbours, *mesh.tree]
        held = sum(array.nbytes for array in arrays) / 1e6
        print(f"        {told}; {held:.0f} MB in vertices, faces, neighbours and tree")
    print(
        f"largest memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"
    )
    sphere, flat, found = icosphere(RADIUS, 4), plate(0.06, 0.06, 32, 48), np.empty(5120, dtype=np.int64)
    for depth in (0.0006, 0.0014):
        pose = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, RADIUS - depth, 0.0))
        count = near_faces(sphere.tree, flat.tree, *pose, depth, found)
        seconds = best(partial(near_faces, sphere.tree, flat.tree, *pose, depth, found))
        print(f"{count} of 5120 faces within {depth * 1e3:.1f} mm of a plate of 3072: {seconds * 1e6:.0f} us")


if __name__ == "__main__":
    main()

"""Results as ParaView opens them: XML PolyData for every output time, held together by one collection file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from condyle.io.columns import labels
from condyle.io.surfaces import has_surfaces, surface_vtp, surfaces

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PolyData:
    """Points joined by cells, with data on points and on cells.

    points (n_point, 3); cells are runs of point numbers; each datum has one value or one 3-vector per point or cell.
    """

    points: Array
    cells: Sequence[Sequence[int]]
    kind: str = "Lines"
    names: Sequence[str] = ()
    cell_data: dict[str, Array] = field(default_factory=dict)
    point_data: dict[str, Array] = field(default_factory=dict)


class _Scene(NamedTuple):
    """What moves, as arrays over the frames; a dimension the results lack has size 0.

    position (n_frame, n_body, 3), angle (n_frame, n_body), outlines (n_vertex, 3) of each profile on `profile_body`;
    ends (n_frame, n_ligament, 2, 3), spring_ends likewise; point and normal (n_frame, n_contact, 3), joint_point and
    joint_force likewise; axis (n_frame, n_beam, n_station, 3), NaN where a beam has fewer stations; the rest
    (n_frame, n) by name, of beams (n_frame, n_beam, n_station).
    """

    time: Array
    position: Array
    angle: Array
    outlines: list[Array]
    profile: list[str]
    profile_body: list[int]
    ligament: list[str]
    ends: Array
    ligament_data: dict[str, Array]
    contact: list[str]
    point: Array
    normal: Array
    normal_force: Array
    contact_force: Array
    contact_data: dict[str, Array]
    depth: Array
    beam: list[str]
    axis: Array
    beam_data: dict[str, Array]
    spring: list[str]
    spring_ends: Array
    spring_data: dict[str, Array]
    joint: list[str]
    joint_point: Array
    joint_force: Array
    joint_torque: Array


def write_vtk(dataset: xr.Dataset, folder: Path) -> None:
    """Write `results.pvd` and, under `frames/`, bodies, ligaments and contacts for every output time.

    Beams, springs, joints and surfaces are written where there are some; surfaces carry the pressure on their faces.
    Ligaments carry strain, force and length, contact points the force vector on the first body, the depth and the
    normal force; beams, at their points, strains, curvature, axial force and bending moment; springs extent and effort;
    joints the force vector and the torque on the second body.
    """
    scene = _scene(dataset)
    parts = {"bodies": _bodies, "ligaments": _ligaments, "contacts": _contacts}
    optional = {
        "beams": (scene.beam, _beams),
        "springs": (scene.spring, _springs),
        "joints": (scene.joint, _joints),
    }
    parts |= {name: shapes for name, (names, shapes) in optional.items() if names}
    texts: dict[str, Callable[[int], str]] = {
        name: lambda at, shapes=shapes: _vtp(shapes(scene, at))  # type: ignore[misc]
        for name, shapes in parts.items()
    }
    if has_surfaces(dataset):
        told = surfaces(dataset)
        texts["surfaces"] = lambda at: surface_vtp(told, at)
    (folder / "frames").mkdir()
    entries = []
    for at, time in enumerate(scene.time.tolist()):
        for part, (name, text) in enumerate(texts.items()):
            file = f"frames/{name}_{at:05d}.vtp"
            (folder / file).write_text(text(at), encoding="utf-8")
            entries.append(f'<DataSet timestep="{time!r}" part="{part}" name="{name}" file="{file}"/>')
    (folder / "results.pvd").write_text(_document("Collection", entries), encoding="utf-8")


def _scene(dataset: xr.Dataset) -> _Scene:
    count = dataset.sizes["time"]

    def values(name: str, *dims: str) -> Array:
        there = name in dataset and all(dim in dataset[name].dims for dim in dims)
        if not there:
            return np.zeros((count, 0, *(3 if dim == "axis" else 2 for dim in dims[1:])))
        if "axis" in dataset[name].dims and "axis" not in dims:
            dims = (*dims, "axis")  # a torque in space is a vector
        return np.asarray(dataset[name].transpose("time", *dims).values, dtype=float)

    outline = np.zeros((0, 0, 3))
    if "outline" in dataset:
        outline = dataset["outline"].transpose("profile", "vertex", "axis").values
    bodies = labels(dataset, "body")
    return _Scene(
        time=dataset["time"].values,
        position=values("position", "body", "axis"),
        angle=values("angle", "body"),
        outlines=[points[np.isfinite(points).all(axis=1)] for points in outline],
        profile=labels(dataset, "profile"),
        profile_body=[bodies.index(str(name)) for name in dataset["profile_body"].values]
        if len(outline)
        else [],
        ligament=labels(dataset, "ligament"),
        ends=values("ligament_point", "ligament", "end", "axis"),
        ligament_data={
            name: values(f"ligament_{name}", "ligament") for name in ("strain", "force", "length")
        },
        contact=labels(dataset, "contact"),
        point=values("contact_point", "contact", "axis"),
        normal=values("contact_normal", "contact", "axis"),
        normal_force=values("contact_normal_force", "contact"),
        contact_force=values("contact_force", "contact", "axis"),
        contact_data={name: values(f"contact_{name}", "contact") for name in ("peak_pressure", "area")},
        depth=values("contact_depth", "contact"),
        **_mechanism(dataset, values),
    )


BEAM_DATA = ("surface_strain", "axial_strain", "curvature", "axial_force", "bending_moment", "shear_force")


def _mechanism(dataset: xr.Dataset, values: Callable[..., Array]) -> dict[str, Any]:
    """The fields of a scene that tell of beams, springs and joints."""
    return {
        "beam": labels(dataset, "beam"),
        "axis": values("beam_position", "beam", "station", "axis"),
        "beam_data": {name: values(f"beam_{name}", "beam", "station") for name in BEAM_DATA},
        "spring": labels(dataset, "spring"),
        "spring_ends": values("spring_point", "spring", "end", "axis"),
        "spring_data": {name: values(f"spring_{name}", "spring") for name in ("extent", "effort")},
        "joint": labels(dataset, "joint"),
        "joint_point": values("joint_point", "joint", "axis"),
        "joint_force": values("joint_force", "joint", "axis"),
        "joint_torque": values("joint_torque", "joint"),
    }


def _bodies(scene: _Scene, at: int) -> PolyData:
    """Outlines of all profiles where their bodies are."""
    lines = []
    for outline, body in zip(scene.outlines, scene.profile_body, strict=True):
        cosine, sine = np.cos(scene.angle[at, body]), np.sin(scene.angle[at, body])
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        lines.append(outline @ turn.T + scene.position[at, body])
    return _polylines(lines, scene.profile)


def _ligaments(scene: _Scene, at: int) -> PolyData:
    """A line from origin to insertion for every ligament."""
    data = {name: values[at] for name, values in scene.ligament_data.items()}
    return _polylines(list(scene.ends[at]), scene.ligament, data)


def _contacts(scene: _Scene, at: int) -> PolyData:
    """A point for every contact that has one, with the force on the first body as a vector [N]: the normal force in the
    plane, all of it between surfaces, with the highest pressure [Pa] and the area [m^2].
    """
    there = np.flatnonzero(np.isfinite(scene.point[at]).all(axis=1))
    names = [scene.contact[k] for k in there]
    cells = [[k] for k in range(len(there))]
    if scene.contact_force.size:
        data = {name: values[at, there] for name, values in scene.contact_data.items() if values.size}
        data |= {"force": scene.contact_force[at, there], "depth": scene.depth[at, there]}
        return PolyData(scene.point[at, there], cells, "Verts", names, point_data=data)
    force = np.nan_to_num(scene.normal_force[at, there])
    normal = np.nan_to_num(scene.normal[at, there])
    data = {"force": force[:, None] * normal, "normal_force": force, "depth": scene.depth[at, there]}
    return PolyData(scene.point[at, there], cells, "Verts", names, point_data=data)


def _beams(scene: _Scene, at: int) -> PolyData:
    """The axis of every beam through its stations, with what the beam feels there."""
    there = np.isfinite(scene.axis[at]).all(axis=-1)
    lines = [axis[known] for axis, known in zip(scene.axis[at], there, strict=True)]
    data = {name: values[at][there] for name, values in scene.beam_data.items() if values.size}
    return replace(_polylines(lines, scene.beam), point_data=data)


def _springs(scene: _Scene, at: int) -> PolyData:
    """A line between the ends of every spring."""
    data = {name: values[at] for name, values in scene.spring_data.items()}
    return _polylines(list(scene.spring_ends[at]), scene.spring, data)


def _joints(scene: _Scene, at: int) -> PolyData:
    """A point for every joint, with its force on the second body as a vector [N] and its torque [N m]."""
    data = {"force": scene.joint_force[at], "torque": scene.joint_torque[at]}
    cells = [[k] for k in range(len(scene.joint))]
    return PolyData(scene.joint_point[at], cells, "Verts", scene.joint, point_data=data)


def _polylines(
    lines: Sequence[Array], names: Sequence[str], data: dict[str, Array] | None = None
) -> PolyData:
    first = np.cumsum([0, *(len(line) for line in lines)])
    cells = [range(first[k], first[k + 1]) for k in range(len(lines))]
    points = np.concatenate(lines) if lines else np.zeros((0, 3))
    return PolyData(points, cells, "Lines", names, cell_data=data or {})


def _vtp(shapes: PolyData) -> str:
    """The text of one PolyData file."""
    counts = {
        kind: len(shapes.cells) if kind == shapes.kind else 0
        for kind in ("Verts", "Lines", "Strips", "Polys")
    }
    sizes = " ".join(f'NumberOf{kind}="{count}"' for kind, count in counts.items())
    offsets = np.cumsum([len(cell) for cell in shapes.cells], dtype=int)
    body = [
        f'<PolyData><Piece NumberOfPoints="{len(shapes.points)}" {sizes}>',
        *_section("Points", [_numbers("points", shapes.points)]),
        *_section(
            shapes.kind,
            [
                _integers("connectivity", [k for cell in shapes.cells for k in cell]),
                _integers("offsets", offsets.tolist()),
            ],
        ),
        *_section("PointData", [_numbers(name, values) for name, values in shapes.point_data.items()]),
        *_section(
            "CellData",
            [_strings("name", shapes.names)] + [_numbers(n, v) for n, v in shapes.cell_data.items()],
        ),
        "</Piece></PolyData>",
    ]
    return _document("PolyData", body)


def _document(kind: str, body: Iterable[str]) -> str:
    open_tag, close_tag = ("<Collection>", "</Collection>") if kind == "Collection" else ("", "")
    lines = ['<?xml version="1.0"?>', f'<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian">']
    return "\n".join(line for line in [*lines, open_tag, *body, close_tag, "</VTKFile>"] if line) + "\n"


def _section(tag: str, arrays: Iterable[str]) -> list[str]:
    return [f"<{tag}>", *arrays, f"</{tag}>"]


def _numbers(name: str, values: Array) -> str:
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    text = " ".join(map(repr, np.asarray(values, dtype=float).ravel().tolist()))
    return f'<DataArray type="Float64" Name={quoteattr(name)}{width} format="ascii">{text}</DataArray>'


def _integers(name: str, values: Iterable[int]) -> str:
    text = " ".join(str(value) for value in values)
    return f'<DataArray type="Int64" Name={quoteattr(name)} format="ascii">{text}</DataArray>'


def _strings(name: str, values: Sequence[str]) -> str:
    """Text as the format wants it: the bytes of each string as numbers, closed by a zero."""
    text = " ".join(str(byte) for value in values for byte in [*value.encode("utf-8"), 0])
    return f'<Array type="String" Name={quoteattr(name)} NumberOfTuples="{len(values)}" format="ascii">{text}</Array>'

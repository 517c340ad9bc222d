"""Surfaces in model files: every shape, files and their faults, and what a reader is told."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle
from condyle.geometry.mesh.files import write_stl
from condyle.geometry.mesh.shapes import icosphere
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.model.compiled import compiled
from condyle.model.spec import Spec, parse
from condyle.model.surfaces import SpaceSurfaces
from condyle.spec.errors import SpecError
from small_models import Section, run

LAYER: Section = {"thickness": 0.005, "young": 1e6, "poisson": 0.3}


def two(
    surface: Section,
    folder: Path | None = None,
    height: float = 0.1,
    settings: Section | None = None,
    **contact: Any,
) -> Spec:
    """A body with a surface above a plate with a layer."""
    data = {
        "condyle": 1,
        "title": "test",
        "dimensions": 3,
        "gravity": [0, 0, 0],
        "bodies": {
            "ground": {"fixed": True},
            "thing": {"mass": 1.0, "inertia": [1, 1, 1], "position": [0, height, 0]},
        },
        "surfaces": {
            "skin": {"body": "thing", **surface},
            "floor": {
                "body": "ground",
                "plate": {"width": 0.1, "depth": 0.1, "divisions": [8, 8]},
                "layer": LAYER,
            },
        },
        "contacts": {"touch": {"kind": "foundation", "between": ["skin", "floor"], **contact}},
        "run": settings or run(0.01, step=1e-3, integrator="rk4"),
    }
    return parse(json.dumps(data), folder=folder)


def surfaces_of(spec: Spec) -> SpaceSurfaces:
    """The surfaces of a model."""
    found = compiled(spec).surfaces
    assert found is not None
    return found


def mesh_of(surface: Section, folder: Path | None = None) -> SurfaceMesh:
    """A surface in its body's frame."""
    return surfaces_of(two(surface, folder)).meshes["skin"]


def test_shapes_have_their_sizes() -> None:
    ball = mesh_of({"ball": {"radius": 0.02, "level": 3}})
    assert ball.n_face == 1280
    assert np.linalg.norm(ball.vertices, axis=1) == pytest.approx(0.02)
    socket = mesh_of({"ball": {"radius": 0.02, "level": 3, "hollow": True}})
    assert socket.vertices[:, 1].min() > -0.003
    assert (np.einsum("ij,ij->i", socket.face_normals, socket.face_centroids) < 0.0).all()
    block = mesh_of({"block": {"size": [0.02, 0.03, 0.04], "divisions": 2}})
    assert np.ptp(block.bounds, axis=0) == pytest.approx([0.02, 0.03, 0.04])
    assert block.volume == pytest.approx(0.02 * 0.03 * 0.04)
    flat = mesh_of({"plate": {"width": 0.02, "depth": 0.03, "divisions": [2, 3]}})
    assert flat.n_face == 12
    assert flat.area == pytest.approx(6e-4)
    assert flat.face_normals[:, 1] == pytest.approx(1.0)


@pytest.mark.parametrize("shape", ["femoral", "insert"])
def test_implants_have_a_medial_and_a_lateral_part(shape: str) -> None:
    right, left = (mesh_of({shape: {"edge": 0.003, "side": side}}) for side in ("right", "left"))
    assert set(right.part_names) == {"medial", "lateral"}
    for mesh, sign in ((right, 1.0), (left, -1.0)):
        lateral = mesh.face_centroids[mesh.part == mesh.part_names.index("lateral"), 2]
        assert (sign * lateral > -1e-9).all()
    finer = mesh_of({shape: {"edge": 0.0015}})
    assert finer.n_face > 3 * right.n_face


def test_parts_are_told_apart_in_the_results() -> None:
    condyles = {"femoral": {"edge": 0.004}}
    spec = two(condyles, height=-mesh_of(condyles).bounds[0, 1] - 0.0005)
    forces = condyle.simulate(spec).dataset["contact_force"]
    assert set(forces["contact"].values) == {"touch", "touch/medial", "touch/lateral"}
    sides = forces.sel(contact="touch/medial").values + forces.sel(contact="touch/lateral").values
    assert np.abs(forces.values).max() > 1.0
    assert sides == pytest.approx(forces.sel(contact="touch").values, abs=1e-9)


def test_a_surface_is_placed_thinned_and_moved_outwards() -> None:
    turned = {"axis": [0, 0, 1], "angle": "90 deg"}
    block = mesh_of({"block": {"size": [0.02, 0.03, 0.04]}, "at": [0.1, 0, 0], "orientation": turned})
    assert block.bounds == pytest.approx(np.array([[0.085, -0.01, -0.02], [0.115, 0.01, 0.02]]))
    grown = mesh_of({"ball": {"radius": 0.02, "level": 3}, "offset": 0.001})
    assert np.linalg.norm(grown.vertices, axis=1) == pytest.approx(0.021, rel=1e-3)
    thinned = mesh_of({"ball": {"radius": 0.02, "level": 4}, "decimate": 500})
    assert thinned.n_face <= 500
    assert thinned.volume == pytest.approx(4 / 3 * math.pi * 0.02**3, rel=0.05)


@pytest.mark.parametrize(("unit", "factor"), [("m", 1.0), ("cm", 0.01), ("mm", 1e-3)])
def test_a_file_counts_in_its_unit(tmp_path: Path, unit: str, factor: float) -> None:
    write_stl(icosphere(0.5, 2), tmp_path / "ball.stl")
    mesh = mesh_of({"file": "ball.stl", "unit": unit}, tmp_path)
    assert np.linalg.norm(mesh.vertices, axis=1) == pytest.approx(0.5 * factor, rel=1e-6)
    assert mesh.n_vertex == 162  # corners of neighbours are one


def notes_of(spec: Spec) -> str:
    """What the audit of a run tells."""
    return "; ".join(condyle.simulate(spec).audit.notes)


def test_millimetres_are_suspected(tmp_path: Path) -> None:
    write_stl(icosphere(20.0, 2), tmp_path / "ball.stl")
    told = notes_of(two({"file": "ball.stl"}, tmp_path, height=50.0))
    assert "surface 'skin': ball.stl: 40 m long, which no joint is" in told
    assert "unit: mm" in told
    assert "long" not in notes_of(two({"file": "ball.stl", "unit": "mm"}, tmp_path))


def test_a_surface_inside_out_is_turned_and_told(tmp_path: Path) -> None:
    ball = icosphere(0.02, 2)
    write_stl(SurfaceMesh(ball.vertices, ball.faces[:, ::-1]), tmp_path / "ball.stl")
    spec = two({"file": "ball.stl"}, tmp_path)
    assert mesh_of({"file": "ball.stl"}, tmp_path).volume > 0.0
    assert "surface 'skin': ball.stl: inside out, its 320 faces were turned over" in notes_of(spec)


def test_an_open_surface_is_refused_where_it_must_be_closed(tmp_path: Path) -> None:
    ball = icosphere(0.02, 2)
    write_stl(SurfaceMesh(ball.vertices, ball.faces[3:]), tmp_path / "ball.stl")
    assert mesh_of({"file": "ball.stl"}, tmp_path).n_face == 317
    with pytest.raises(
        ValueError, match=r"surfaces\.skin: ball\.stl: \d+ edges have one face only, so it is open"
    ):
        compiled(two({"file": "ball.stl", "closed": True}, tmp_path))
    with pytest.raises(ValueError, match=r"surfaces\.skin: skin: \d+ edges have one face only"):
        compiled(two({"plate": {"width": 0.1, "depth": 0.1}, "closed": True}))


@pytest.mark.parametrize(
    ("surface", "message"),
    [
        ({}, "surfaces.skin: expected one of file, ball, plate, block, femoral or insert; got none"),
        ({"ball": {"radius": 0.1}, "plate": {"width": 1, "depth": 1}}, "femoral or insert; got ball and plate"),
        ({"ball": {"radius": "3 s"}}, "surfaces.skin.ball.radius: expected a length in m"),
        ({"ball": {"radius": 0.1, "level": 9}}, "surfaces.skin.ball.level"),
        ({"plate": {"width": 1, "depth": 1, "divisions": [0, 2]}}, "skin.plate.divisions.0: expected 1 to 1000"),
        ({"block": {"size": [0.1, -0.1, 0.1]}}, "surfaces.skin: y = -0.1: must be a positive length in metres"),
        ({"block": {"size": [0.1, 0.1]}}, "surfaces.skin.block.size: expected three numbers [x, y, z]"),
        ({"file": "../ball.stl"}, "skin.file: expected a path relative to the model file and below its folder"),
        ({"file": "/tmp/ball.stl"}, "surfaces.skin.file: expected a path relative to the model file"),
        ({"file": "none.stl"}, "surfaces.skin.file: no such file"),
        ({"file": "bad.stl"}, "surfaces.skin: bad.stl"),
        ({"file": "bad.step"}, "skin: bad.step: a surface is read from .stl, .ply, .obj, .vtp, not from .step"),
        ({"ball": {"radius": 0.1}, "unit": "mm"}, "surfaces.skin.unit: only a file has a unit of its own"),
        ({"body": "thin", "ball": {"radius": 0.1}}, "surfaces.skin.body: no body 'thin' (did you mean 'thing'?)"),
        ({"ball": {"radius": 0.1}, "decimate": 2}, "surfaces.skin.decimate"),
        ({"ball": {"radius": 0.1}, "layer": {"thickness": 0.01}}, "skin.layer: expected either a material, or"),
        (
            {"ball": {"radius": 0.1}, "layer": {"thickness": 0.01, "young": 1e6}},
            "surfaces.skin.layer.poisson: missing; a layer needs young and poisson",
        ),
        (
            {"ball": {"radius": 0.1}, "layer": {"thickness": 0.01, "young": 1e6, "poisson": 0.5}},
            "surfaces.skin.layer.poisson: Poisson's ratio must be below 0.5",
        ),
        ({"insert": {"sagittal_radius": 0.01}}, "surfaces.skin"),
    ],
)  # fmt: skip
def test_mistakes_of_surfaces_are_named(tmp_path: Path, surface: Section, message: str) -> None:
    (tmp_path / "bad.stl").write_text("solid nothing", encoding="utf-8")
    (tmp_path / "bad.step").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="surfaces") as caught:
        compiled(two(surface, tmp_path))
    assert message in str(caught.value)


BALL: Section = {"ball": {"radius": 0.02, "level": 2}}


@pytest.mark.parametrize(
    ("surface", "contact", "message"),
    [
        (BALL, {"between": ["skin", "skin"]}, "contacts.touch.between: 'skin' cannot touch itself"),
        (BALL, {"between": ["skin", "flor"]}, "contacts.touch.between.1: no surface 'flor' (did you mean 'floor'?)"),
        (BALL, {"between": ["skin"]}, "contacts.touch.between: expected two, one for each side"),
        (BALL | {"body": "ground"}, {}, "contacts.touch.between: both surfaces are on 'ground'"),
        (BALL, {"law": "cubic"}, "touch.law: no foundation law 'cubic'; there are linear, logarithmic and volume"),
        (BALL, {"law": {"kind": "volume", "modulus": 1e9}}, "contacts.touch.law: the volume law knows no layers"),
        (BALL, {"law": "volume"}, "contacts.touch.law.modulus: missing"),
        (BALL, {"friction": {"kind": "coulomb", "slow": 0.1, "fast": 1}}, "touch.friction.coefficient: missing"),
        (BALL, {"damping": -1}, "contacts.touch.damping"),
        (BALL, {"wear": {"factor": 0}}, "contacts.touch.wear.factor"),
    ],
)  # fmt: skip
def test_mistakes_of_foundations_are_named(surface: Section, contact: Section, message: str) -> None:
    with pytest.raises(ValueError, match="contacts") as caught:
        compiled(two(surface, **contact))
    assert message in str(caught.value)


def test_layers_that_are_missing_are_asked_for() -> None:
    spec = two(BALL).model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    spec["surfaces"]["floor"].pop("layer")
    with pytest.raises(
        ValueError, match=r"contacts\.touch\.law: linear needs a layer on one of the surfaces"
    ):
        parse(json.dumps(spec))


def test_surfaces_are_of_space() -> None:
    spec = two(BALL).model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    spec["dimensions"] = 2
    with pytest.raises(ValueError, match="surfaces are for models in space; set dimensions: 3"):
        parse(json.dumps(spec))


@pytest.mark.compiled
def test_a_deep_start_is_told_before_and_after_the_run() -> None:
    deep = two(BALL, height=0.018)
    said = "contact 'touch' starts 2 mm deep"
    assert said in notes_of(deep)
    assert "if it should only touch, move one of its bodies" in notes_of(deep)
    assert "starts" not in notes_of(two(BALL, height=0.0199))


@pytest.mark.compiled
def test_a_contact_that_leaves_the_edge_is_told_with_its_time() -> None:
    settings = run(0.1, step=5e-4, integrator="rk4", audit_tolerance=0.5)
    data = json.loads(
        json.dumps(
            two(BALL, settings=settings).model.model_dump(mode="json", by_alias=True, exclude_unset=True)
        )
    )
    data["bodies"]["thing"] |= {"position": [0, 0.0195, 0], "velocity": [1.0, -0.01, 0]}
    data["joints"] = {
        "guide": {
            "kind": "six-degree", "from": {"body": "ground"}, "to": {"body": "thing"},
            "held": ["y", "z", "first", "second", "third"],
        }
    }  # fmt: skip
    told = notes_of(parse(json.dumps(data)))
    found = float(told.split("ran over the edge of a surface first at ")[1].split(" s")[0])
    # It goes at 1 m/s; the plate ends 50 mm off, and the contact is 4.4 mm wide to each side.
    assert "contact 'touch' ran over the edge" in told
    assert found == pytest.approx(0.05 - math.sqrt(2 * 0.02 * 5e-4), abs=2.5e-3)
    data["bodies"]["thing"]["velocity"] = [0.1, -0.01, 0]
    assert "edge" not in notes_of(parse(json.dumps(data)))


def test_both_files_and_shapes_make_one_contact(tmp_path: Path) -> None:
    """The same ball from a file and from the model: the same force."""
    write_stl(icosphere(0.02, 2), tmp_path / "ball.stl")
    one, other = (
        condyle.simulate(two(surface, tmp_path, height=0.0195)).dataset["contact_force"].values[0, 0]
        for surface in (BALL, {"file": "ball.stl"})
    )
    assert one[1] > 0.5
    assert other == pytest.approx(one, rel=1e-4, abs=1e-4)


def test_a_model_without_a_folder_does_not_look_elsewhere() -> None:
    with pytest.raises(
        SpecError, match=r"surfaces\.skin: cannot look for ball\.stl: this model was not read from a file"
    ):
        compiled(two({"file": "ball.stl"}))


def test_left_does_not_press_on_right() -> None:
    spec = condyle.load("stanmore-tkr")
    with pytest.raises(SpecError, match=r"contacts\.tibiofemoral\.between: one is of a left knee"):
        compiled(spec.updated({"surfaces.femoral.femoral.side": "right"}))


def test_a_layer_thicker_than_its_surface_is_told() -> None:
    ball = {"ball": {"radius": 0.02, "level": 1}}
    assert not surfaces_of(two({**ball, "layer": LAYER})).notes
    (note,) = surfaces_of(two({**ball, "layer": {**LAYER, "thickness": 5}})).notes
    assert "surface 'skin': its layer of 5000 mm is thicker than the surface is long, 40 mm" in note

"""A knee that another program has computed: its convention exactly, and what cut faces change.

The stored results are of an elastic foundation of E = 10 MPa, nu = 0.45 and 3 mm of cartilage on both sides, with one
ray from the centroid of each tibial face along its inward normal to the femur.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import condyle
from condyle.contact.foundation.load import FoundationSettings, foundation_load
from condyle.contact.foundation.surface import Surface, surface_of
from condyle.geometry.mesh.surface import SurfaceMesh
from condyle.laws.foundation.layers import LINEAR, confined_modulus, layers_in_series
from contact.foundation_cases import turn
from space_models import in_space, short

HERE = Path(__file__).parents[2]
DATA = Path(os.environ.get("CONDYLE_DATA", HERE.parent / "shared" / "data")) / "jam-lenhart2015-knee"
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"no {DATA.name} under $CONDYLE_DATA or ../shared/data"),
]
LAW = layers_in_series(LINEAR, [(confined_modulus(10e6, 0.45), 3e-3)] * 2)
CONVENTION = FoundationSettings(LAW, integrate="first", depth="ray", sampling="centroid")
CUT = FoundationSettings(LAW, integrate="first", depth="ray")
TIMES = np.arange(0.0, 2.51, 0.25)


def table(name: str) -> dict[str, NDArray[np.float64]]:
    """Columns of a stored table by their names."""
    lines = (DATA / "passive_flexion" / name).read_text(encoding="utf-8").splitlines()
    head = next(k for k, line in enumerate(lines) if line.strip() == "endheader") + 1
    values = np.array([[float(word) for word in line.split()] for line in lines[head + 1 :]])
    return dict(zip(lines[head].split(), values.T, strict=True))


def mesh(name: str) -> SurfaceMesh:
    """A surface as stored, its equal vertices joined."""
    path = DATA / "meshes" / name
    if path.suffix == ".stl":
        data = path.read_bytes()
        (count,) = struct.unpack_from("<I", data, 80)
        kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        corners = np.frombuffer(data, kind, count, 84)["corners"].astype(float).reshape(-1, 3)
        places, faces = np.unique(corners, axis=0, return_inverse=True)
        return SurfaceMesh(places, faces.reshape(-1, 3))
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    places = np.array([line[1:4] for line in lines if line[:1] == ["v"]], dtype=float)
    faces = np.array(
        [[w.partition("/")[0] for w in line[1:4]] for line in lines if line[:1] == ["f"]], dtype=int
    )
    return SurfaceMesh(places, faces - 1)


@pytest.fixture(scope="module")
def tibia() -> SurfaceMesh:
    return mesh("lenhart2015-R-tibia-cartilage.stl")


@pytest.fixture(scope="module")
def femur() -> Surface:
    return surface_of(mesh("lenhart2015-R-femur-cartilage.obj"), smooth=False)


@pytest.fixture(scope="module")
def stored() -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.float64]]]:
    return table("passive_flexion_states.sto"), table("passive_flexion_ForceReporter_forces.sto")


def pose(
    states: dict[str, NDArray[np.float64]], time: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The tibia seen from the femur."""
    k = int(np.argmin(np.abs(states["time"] - time)))
    names = ("flex", "add", "rot", "tx", "ty", "tz")
    q = {name: states[f"/jointset/knee_r/knee_{name}_r/value"][k] for name in names}
    R = turn(0.0, 0.0, -q["flex"]) @ turn(q["add"], 0.0, 0.0) @ turn(0.0, q["rot"], 0.0)
    return R, np.array([q["tx"], q["ty"], q["tz"]])


def result(forces: dict[str, NDArray[np.float64]], time: float) -> dict[str, NDArray[np.float64]]:
    k = int(np.argmin(np.abs(forces["time"] - time)))
    given = {
        name: forces[f"tf_contact.casting.total.{name}"][k]
        for name in ("contact_area", "max_proximity", "max_pressure")
    }
    force = np.array([forces[f"tf_contact.casting.total.contact_force_{axis}"][k] for axis in "xyz"])
    return {**given, "force": force}


@pytest.mark.parametrize("time", TIMES)
def test_the_convention_gives_the_stored_numbers(time: float, tibia, femur, stored) -> None:  # type: ignore[no-untyped-def]
    load = foundation_load(surface_of(tibia, smooth=False), femur, pose(stored[0], time), CONVENTION)
    given = result(stored[1], time)
    assert np.linalg.norm(given["force"]) > 100.0
    assert_allclose(load.force, given["force"], atol=1e-6 * float(np.linalg.norm(given["force"])))
    assert load.area == pytest.approx(given["contact_area"], rel=1e-4)
    assert load.depth == pytest.approx(given["max_proximity"], rel=1e-4)
    assert load.peak_pressure == pytest.approx(given["max_pressure"], rel=1e-4)


@pytest.mark.parametrize("time", TIMES)
def test_cut_faces_change_less_than_a_hundredth(time: float, tibia, femur, stored) -> None:  # type: ignore[no-untyped-def]
    """Depths along rays from the vertices, bent as the tibia's cartilage is, on the femur's faces as they are."""
    load = foundation_load(surface_of(tibia), femur, pose(stored[0], time), CUT)
    given = result(stored[1], time)
    assert_allclose(load.force, given["force"], atol=1e-2 * float(np.linalg.norm(given["force"])))
    assert load.area == pytest.approx(given["contact_area"], rel=0.02)
    assert load.depth == pytest.approx(given["max_proximity"], rel=0.03)


def strands() -> dict[str, Any]:
    """The ligament strands of the stored model that run straight from femur to tibia, as a model file has them."""
    found: dict[str, Any] = {}
    for strand in ET.parse(DATA / "lenhart2015.osim").getroot().iter("Blankevoort1991Ligament"):
        points = list(strand.iter("PathPoint"))
        bodies = [str(point.findtext("socket_parent_frame")).split("/")[-1] for point in points]
        if (
            bodies != ["femur_distal_r", "tibia_proximal_r"]
            or next(strand.iter("PathWrap"), None) is not None
        ):
            continue
        places = [[float(word) for word in str(point.findtext("location")).split()] for point in points]
        # Their transition strain, 0.06 unless it is said, is where the linear part begins: twice Condyle's number.
        law = {
            "kind": "toe-linear",
            "stiffness": float(strand.findtext("linear_stiffness") or "nan"),
            "linear_strain": 0.5 * float(strand.findtext("transition_strain") or 0.06),
        }
        found[str(strand.get("name"))] = {
            "from": {"body": "femur", "at": places[0]},
            "to": {"body": "tibia", "at": places[1]},
            "law": law,
            "rest_length": float(strand.findtext("slack_length") or "nan"),
        }
    return found


@pytest.mark.parametrize("time", TIMES[::2])
def test_ligament_strands_have_the_stored_lengths_and_forces(time: float, stored) -> None:  # type: ignore[no-untyped-def]
    rotation, place = pose(stored[0], time)
    e1, e2, e3, e0 = Rotation.from_matrix(rotation).as_quat().tolist()
    bodies = {
        "femur": {"fixed": True},
        "tibia": {
            "position": place.tolist(),
            "orientation": {"euler_parameters": [e0, e1, e2, e3]},
            "mass": 1.0,
            "inertia": [1.0, 1.0, 1.0],
        },
    }
    settings = short(1e-6, step=1e-6, output_step=1e-6, integrator="rk4")
    ligaments = strands()
    assert len(ligaments) >= 20
    dataset = condyle.simulate(in_space(bodies, settings, ligaments=ligaments)).dataset.isel(time=0)
    k = int(np.argmin(np.abs(stored[1]["time"] - time)))
    taut = 0
    for name in ligaments:
        length, force = (
            float(dataset[what].sel(ligament=name)) for what in ("ligament_length", "ligament_force")
        )
        assert length == pytest.approx(stored[1][f"{name}.length"][k], rel=1e-6), name
        given = float(stored[1][f"{name}.force_spring"][k])
        assert force == pytest.approx(abs(given), rel=1e-6, abs=1e-5), name
        taut += given != 0.0
    assert taut >= 3

"""What a model consists of, in words."""

from __future__ import annotations

import condyle
from condyle.laws.contact import delivered
from condyle.model.describe import Section, delivered_restitution, describe
from model.small import small


def section(title: str, sections: list[Section]) -> dict[str, str]:
    """Rows of one section."""
    return dict(next(found.rows for found in sections if found.title == title))


def test_everything_in_the_model_has_a_row() -> None:
    spec = small(run__step=1e-4)
    found = {part.title: [name for name, _ in part.rows] for part in describe(spec)}
    model = spec.model
    for title in ("bodies", "materials", "profiles", "contacts", "forces", "measures", "variants"):
        assert found[title] == list(getattr(model, title))
    assert found["ligaments"] == ["ACL", "PCL/front", "PCL/back"]
    assert found["run"] == ["time", "method", "gravity"]
    assert found["changed"] == ["run.step"]


def test_rows_say_what_matters() -> None:
    parts = describe(small())
    assert section("bodies", parts)["tibia"] == "4 kg, 0.1 kg m^2, at (0, -0.3) m, 0 deg"
    assert section("profiles", parts)["plateau"] == "line of 60 mm on tibia, exact, bone"
    assert "shape-preserving in polar form" in section("profiles", parts)["facet"]
    assert section("ligaments", parts)["PCL/back"].endswith(
        "slack below 30 mm, damping 3 N s/m, breaks above 10 N"
    )
    assert section("ligaments", parts)["PCL/front"].endswith("strain 0.02 at the start, damping 2 N s/m")
    assert section("measures", parts)["flexion"] == "90 deg - angle from femur to tibia, in deg"
    assert section("variants", parts)["strong"] == "three times the push (forces.pulse.amplitude = 150 N)"
    assert "table of 3 instants" in section("forces", parts)["push"]


def test_contacts_tell_what_restitution_they_deliver() -> None:
    parts = describe(small())
    given = delivered("lankarani-nikravesh", 0.5)
    assert f"restitution 0.5 asked, {given:.2f} delivered" in section("contacts", parts)["tibiofemoral"]
    assert "hertz, loses nothing" in section("contacts", parts)["patellofemoral"]
    voigt = small(contacts__tibiofemoral__law={"kind": "kelvin-voigt", "stiffness": 1e5, "damping": 3})
    assert "follows from damping" in section("contacts", describe(voigt))["tibiofemoral"]


def test_the_restitution_asked_is_the_laws_or_the_smaller_of_the_materials() -> None:
    def asked(law: str) -> float:
        spec = small(contacts__tibiofemoral__law=law)
        found = delivered_restitution(spec.model, spec.model.profile_contacts["tibiofemoral"])
        assert found is not None
        return found[0]

    assert asked("{kind: gonthier, restitution: 0.9}") == 0.9
    assert asked("gonthier") == 0.3
    bare = small(materials__cartilage__restitution=None, materials__bone__restitution=None)
    bare = bare.updated({"contacts.tibiofemoral.law": "gonthier"})
    assert delivered_restitution(bare.model, bare.model.profile_contacts["tibiofemoral"]) == (
        0.5,
        delivered("gonthier", 0.5),
    )


def test_printing_a_spec_shows_the_rows() -> None:
    lines = str(condyle.load("planar-knee")).splitlines()
    assert lines[0] == "planar-knee: Planar knee of Machado 2010, femur on a flat plateau, four ligaments"
    assert "bodies" in lines
    assert any(line.split() == ["femur", "fixed", "at", "(0,", "0)", "m,", "0", "deg"] for line in lines)

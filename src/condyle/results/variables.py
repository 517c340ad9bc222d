"""The variables of a results dataset: dimensions, unit and long name, one line each."""

from __future__ import annotations

from typing import NamedTuple


class Variable(NamedTuple):
    """Dimensions, unit and long name of a variable."""

    dims: tuple[str, ...]
    units: str
    long_name: str


_BODY, _LIGAMENT, _CONTACT = ("time", "body"), ("time", "ligament"), ("time", "contact")
_JOINT, _SPRING, _BEAM = ("time", "joint"), ("time", "spring"), ("time", "beam", "station")

VARIABLES = {
    "position": Variable((*_BODY, "axis"), "m", "position of the body's centre of mass"),
    "angle": Variable(_BODY, "rad", "angle of the body's frame, counter-clockwise"),
    "velocity": Variable((*_BODY, "axis"), "m/s", "velocity of the body's centre of mass"),
    "angular_velocity": Variable(_BODY, "rad/s", "angular velocity of the body"),
    "ligament_length": Variable(_LIGAMENT, "m", "length of the ligament"),
    "ligament_strain": Variable(_LIGAMENT, "1", "strain of the ligament, negative when slack"),
    "ligament_force": Variable(_LIGAMENT, "N", "tension of the ligament"),
    "ligament_point": Variable((*_LIGAMENT, "end", "axis"), "m", "end of the ligament, global"),
    "contact_depth": Variable(_CONTACT, "m", "depth of the contact; negative: the gap"),
    "contact_rate": Variable(_CONTACT, "m/s", "rate of the depth, positive on approach"),
    "contact_normal_force": Variable(_CONTACT, "N", "normal force of the contact"),
    "contact_friction": Variable(
        _CONTACT, "N", "friction on the first body along the normal turned clockwise"
    ),
    "contact_point": Variable((*_CONTACT, "axis"), "m", "middle between the two facing points, global"),
    "contact_normal": Variable((*_CONTACT, "axis"), "1", "direction of the normal force on the first body"),
    "contact_point_local": Variable(
        (*_CONTACT, "side", "axis"), "m", "facing point in each body's own frame"
    ),
    "joint_force": Variable((*_JOINT, "axis"), "N", "force of the joint on its second body, global"),
    "joint_torque": Variable(_JOINT, "N m", "torque of the joint on its second body about the joint's point"),
    "joint_point": Variable((*_JOINT, "axis"), "m", "where the joint acts on its second body, global"),
    "driver_effort": Variable(
        ("time", "driver"), "driver_unit", "force or torque by which the driver makes its measure grow"
    ),
    "spring_extent": Variable(_SPRING, "spring_unit", "length or angle of the spring"),
    "spring_effort": Variable(
        _SPRING, "N or N m", "tension of the spring, or its torque that turns the angle back"
    ),
    "spring_point": Variable((*_SPRING, "end", "axis"), "m", "end of the spring, global"),
    "beam_position": Variable((*_BEAM, "axis"), "m", "place of the beam's axis, global"),
    "beam_axial_strain": Variable(_BEAM, "1", "stretch of the beam's axis less 1 and what it is at rest"),
    "beam_curvature": Variable(_BEAM, "1/m", "curvature of the beam less what it is at rest"),
    "beam_axial_force": Variable(_BEAM, "N", "axial force in the beam, positive in tension"),
    "beam_bending_moment": Variable(_BEAM, "N m", "bending moment in the beam"),
    "beam_shear_force": Variable(_BEAM, "N", "shear force in a beam that can shear"),
    "beam_surface_strain": Variable(_BEAM, "1", "largest magnitude of strain in the section"),
    "beam_arc": Variable(("beam", "station"), "m", "length along the beam at rest"),
    "load": Variable(("time", "force", "axis"), "N", "applied force, global"),
    "load_point": Variable(("time", "force", "axis"), "m", "where the force acts, global"),
    "load_torque": Variable(("time", "force"), "N m", "applied torque, counter-clockwise"),
    "measure_value": Variable(
        ("time", "measure"), "measure_unit", "measures that the model declares, each in its measure_unit"
    ),
    "energy": Variable(("time", "kind"), "J", "energy; residual is what the balance lacks"),
    "outline": Variable(("profile", "vertex", "axis"), "m", "outline of the profile in its body's frame"),
    "peak_ligament_force": Variable(("ligament",), "N", "largest tension of all steps"),
    "peak_ligament_force_time": Variable(("ligament",), "s", "time of the largest tension"),
    "peak_ligament_strain": Variable(("ligament",), "1", "largest strain of all steps before a tear"),
    "peak_ligament_strain_time": Variable(("ligament",), "s", "time of the largest strain before a tear"),
    "peak_contact_depth": Variable(("contact",), "m", "largest depth of all steps"),
    "peak_contact_depth_time": Variable(("contact",), "s", "time of the largest depth"),
    "peak_contact_force": Variable(("contact",), "N", "largest normal force of all steps"),
    "peak_contact_force_time": Variable(("contact",), "s", "time of the largest normal force"),
    "ligament_allowed_strain": Variable(("ligament",), "1", "allowed strain"),
    "ligament_allowed_force": Variable(("ligament",), "N", "allowed tension"),
    "ligament_broken_time": Variable(("ligament",), "s", "time at which the ligament tore"),
}
# In space these take the place of those above.
IN_SPACE = {
    "orientation": Variable(
        (*_BODY, "quaternion"), "1", "Euler parameters of the body's frame, body to global"
    ),
    "angular_velocity": Variable((*_BODY, "axis"), "rad/s", "angular velocity of the body, in its own frame"),
    "joint_torque": Variable(
        (*_JOINT, "axis"), "N m", "torque of the joint on its second body about the joint's point, global"
    ),
    "load_torque": Variable(("time", "force", "axis"), "N m", "applied torque, global"),
    "load_effort": Variable(("time", "force"), "N or N m", "effort of a load along a measure"),
    "contact_force": Variable((*_CONTACT, "axis"), "N", "force of the contact on its first body, global"),
    "contact_moment": Variable(
        (*_CONTACT, "axis"), "N m", "moment of the contact on its first body about its centre of mass, global"
    ),
    "contact_point": Variable((*_CONTACT, "axis"), "m", "centre of pressure, global"),
    "contact_normal": Variable((*_CONTACT, "axis"), "1", "direction of the force on the first body"),
    "contact_normal_force": Variable(_CONTACT, "N", "magnitude of the contact's force"),
    "contact_area": Variable(_CONTACT, "m^2", "area in contact"),
    "contact_mean_pressure": Variable(_CONTACT, "Pa", "pressure, mean over the area in contact"),
    "contact_peak_pressure": Variable(_CONTACT, "Pa", "greatest pressure"),
    "contact_depth": Variable(_CONTACT, "m", "greatest depth of one surface in the other; 0 without contact"),
    "contact_compression": Variable(_CONTACT, "N", "integral of the pressure over the area"),
    "face_pressure": Variable(("time", "face"), "Pa", "pressure, mean over each whole triangle"),
    "surface_layer": Variable(("surface",), "m", "thickness of the elastic layer; not a number without one"),
    "surface_vertex": Variable(("vertex", "axis"), "m", "corners of the surfaces in their bodies' frames"),
    "surface_face": Variable(("face", "corner"), "1", "corners of each triangle, counted over all surfaces"),
    "vertex_surface": Variable(("vertex",), "1", "number of the surface that a corner belongs to"),
    "face_surface": Variable(("face",), "1", "number of the surface that a triangle belongs to"),
    "face_part": Variable(("face",), "1", "number of the part of its surface that a triangle belongs to"),
    "face_wear": Variable(("face",), "m", "depth worn away after all cycles"),
    "wear_volume": Variable(("contact",), "m^3", "volume worn away after all cycles, face by face"),
    "wear_volume_by_centre": Variable(
        ("contact",), "m^3", "volume worn away after all cycles, by the centre of pressure"
    ),
}
NOT_IN_SPACE = ("angle", "contact_rate", "contact_friction", "contact_point_local", "outline")
ENERGY_KINDS = (
    "kinetic",
    "gravity",
    "ligament",
    "spring",
    "beam",
    "contact",
    "load_work",
    "driver_work",
    "dissipated",
    "residual",
)

# Dimensions whose places are counted and have no names.
COUNTED = ("vertex", "face", "corner")
# What the readers of results rely on, by its dimensions after time; the rest may be missing.
NEEDED = {
    name: VARIABLES[name].dims
    for name in (
        "position",
        "angle",
        "energy",
        "ligament_length",
        "ligament_strain",
        "ligament_force",
        "ligament_point",
        "contact_depth",
        "contact_normal_force",
        "contact_point",
        "contact_normal",
        "joint_force",
        "joint_torque",
        "joint_point",
        "driver_effort",
        "spring_extent",
        "spring_effort",
        "spring_point",
        "beam_position",
        "beam_arc",
        "beam_surface_strain",
        "beam_bending_moment",
        "beam_axial_force",
        "load",
        "load_point",
        "measure_value",
    )
}
# Labels that are the same in all results.
FIXED_LABELS = {
    "axis": ["x", "y", "z"],
    "side": ["first", "second"],
    "end": ["origin", "insertion"],
    "quaternion": ["e0", "e1", "e2", "e3"],
}


def variables_of(in_space: bool) -> dict[str, Variable]:
    """The variables of results in the plane or in space."""
    if not in_space:
        return VARIABLES
    kept = {name: variable for name, variable in VARIABLES.items() if name not in NOT_IN_SPACE}
    return kept | IN_SPACE


def needed_of(in_space: bool) -> dict[str, tuple[str, ...]]:
    """What the readers of results rely on, in the plane or in space, with its dimensions."""
    if not in_space:
        return NEEDED
    names = ["orientation", "contact_force", *(name for name in NEEDED if name not in NOT_IN_SPACE)]
    return {name: variables_of(in_space)[name].dims for name in names}


# Names that stand beside labels.
LABELLED = {
    "measure_unit": ("measure",),
    "profile_body": ("profile",),
    "contact_body": ("contact", "side"),
    "driver_unit": ("driver",),
    "spring_unit": ("spring",),
    "surface_body": ("surface",),
}

"""A small model file with something of everything, for tests of the grammar."""

from __future__ import annotations

from typing import Any

from condyle.model.spec import Spec, parse
from condyle.spec.errors import SpecError
from condyle.spec.yaml_writer import written

TEXT = """\
# A comment at the top.
condyle: 1
title: A small knee
bodies:
  femur: {fixed: true}
  tibia: {mass: 4 kg, inertia: 0.1 kg m^2, position: [0, -0.3]}  # hangs below
  patella: {mass: 0.1, inertia: 1e-4, position: [0.05, 0]}
materials:
  cartilage: {young: 5 MPa, poisson: 0.46, restitution: 0.3, friction: 0.01}
  bone: {young: 15 GPa, poisson: 0.3, restitution: 0.6}
profiles:
  condyle: {body: femur, outline: {circle: {radius: 40 mm}}, material: cartilage}
  plateau: {body: tibia, outline: {line: {from: [0.03, 0.26], to: [-0.03, 0.26]}}, material: bone}
  facet:
    body: patella
    outline:
      points: [[-5 mm, -10 mm], [-7 mm, -3 mm], [-7 mm, 3 mm], [-5 mm, 10 mm]]
  rim:
    body: patella
    outline:
      path:
        start: [10 mm, 0]
        pieces: [{arc: {center: [0, 0], to: [0, 10 mm]}}, {line: {to: [-10 mm, 10 mm]}}]
contacts:
  tibiofemoral: {between: [condyle, plateau], law: {kind: lankarani-nikravesh, restitution: 0.5}}
  patellofemoral: {between: [facet, condyle], law: {kind: hertz, stiffness: 1e6 N/m^1.5}}
ligaments:
  ACL:
    from: {body: femur, at: [0, 0]}
    to: {body: tibia, at: [0, 0.25]}
    law: {kind: quadratic, stiffness: 2e7}
    allowed_strain: 17 %
  PCL:
    law: {kind: toe-linear, stiffness: 1 kN}
    rest_length: 30 mm
    damping: 2
    bundles:
      front: {from: {body: femur}, to: {body: tibia, at: [0.01, 0.25]}, reference_strain: 2 %}
      back: {from: {body: femur}, to: {body: tibia, at: [-0.01, 0.25]}, damping: 3, breaks: true, allowed_force: 10}
forces:
  pulse: {body: tibia, direction: [1, 0], amplitude: 50, course: {kind: decaying-sine, duration: 50 ms}}
  twist: {kind: torque, body: tibia, amplitude: 1 N m}
  push: {body: patella, direction: [0, 1], amplitude: 1, course: {kind: table, times: [0, 1, 1], values: [0, 1, 2]}}
measures:
  flexion: {kind: angle, from: femur, to: tibia, offset: 90 deg, sign: -1}
  reach: {kind: distance, from: {body: femur}, to: {body: tibia}}
  height: {kind: coordinate, of: {body: tibia}, axis: y, in: femur, unit: cm}
run: {duration: 0.05, step: 1e-4}
variants:
  strong: {about: three times the push, forces.pulse.amplitude: 150 N}
  elastic: {contacts.tibiofemoral.law: hertz}
"""


def small(**changes: Any) -> Spec:
    """The small model, with changes by paths in which `__` stands for a dot."""
    return parse(TEXT).updated({path.replace("__", "."): value for path, value in changes.items()})


def told(changes: dict[str, Any]) -> list[str]:
    """What is wrong with the small model after changes."""
    try:
        parse(TEXT).updated(changes)
    except SpecError as error:
        return [str(problem) for problem in error.problems]
    return []


def told_of(data: Any) -> list[str]:
    """What is wrong with a tree as a whole file."""
    try:
        parse(data if isinstance(data, str) else written(data), "file")
    except SpecError as error:
        return [str(problem) for problem in error.problems]
    return []

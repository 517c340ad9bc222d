"""Where the file places bodies and frames, before anything is assembled."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping

from condyle.beams.mesh import BeamMesh
from condyle.model.declarations import ModelSpec
from condyle.multibody.declarations import (
    AngleSpec,
    AttachmentSpec,
    CoordinateSpec,
    DistanceSpec,
    MeasureSpec,
)

# Place [m] as a complex number, and angle [rad].
Pose = tuple[complex, float]


class Placement:
    """Poses of bodies and frames at the start, as the file says."""

    def __init__(self, model: ModelSpec, meshes: Mapping[str, BeamMesh]) -> None:
        self.poses: dict[str, Pose] = {
            name: (complex(*body.position), body.angle) for name, body in model.bodies.items()
        }
        for name, frame in model.frames.items():
            mesh = meshes[frame.beam or ""]
            first, place, slope, turned = mesh.weights_at(frame.along or 0.0)
            pairs = mesh.coordinates[first : first + len(place)]
            self.poses[name] = complex(*(place @ pairs)), cmath.phase(complex(*(slope @ pairs))) + turned

    def point(self, attachment: AttachmentSpec) -> complex:
        """Where an attachment is [m]."""
        place, angle = self.poses[attachment.body]
        return place + cmath.rect(1.0, angle) * complex(*attachment.at)

    def distance(self, first: AttachmentSpec, second: AttachmentSpec) -> float:
        """Distance of two attachments [m]."""
        return abs(self.point(second) - self.point(first))

    def angle(self, first: str, second: str) -> float:
        """Angle from one body's frame to another's [rad]."""
        return self.poses[second][1] - self.poses[first][1]

    def measured(self, measure: MeasureSpec) -> float:
        """A measure's value [rad or m], offset and sign included."""
        if isinstance(measure, AngleSpec):
            raw = self.angle(measure.origin, measure.target)
        elif isinstance(measure, DistanceSpec):
            raw = self.distance(measure.origin, measure.target)
        elif isinstance(measure, CoordinateSpec):
            place, angle = (0j, 0.0) if measure.frame is None else self.poses[measure.frame]
            local = (self.point(measure.of) - place) * cmath.rect(1.0, -angle)
            raw = local.real if measure.axis == "x" else local.imag
        else:
            raise TypeError(measure.kind)
        return measure.offset + measure.sign * raw


def unit_vector(direction: tuple[float, ...]) -> tuple[float, float]:
    """A direction with length one."""
    length = math.hypot(*direction)
    return direction[0] / length, direction[1] / length

"""Where the file of a model in space places bodies and frames, before anything is assembled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from condyle.mechanics.system import Array
from condyle.model.declarations import ModelSpec
from condyle.multibody.declarations import AttachmentSpec
from condyle.spec.orientation import OrientationSpec

# The global frame, as a body that is always there.
GROUND = ""


@dataclass(frozen=True)
class Held:
    """Axes on a body: its name, where their origin is in its frame [m], and their rotation against it, (3, 3)."""

    body: str
    at: Array
    turn: Array

    def point(self, at: tuple[float, ...]) -> Array:
        """A point of these axes in the body's frame [m], shape (3,)."""
        return np.asarray(self.at + self.turn @ np.array(at))

    def direction(self, along: tuple[float, ...]) -> Array:
        """A unit direction of these axes in the body's frame, shape (3,)."""
        return np.asarray(self.turn @ np.array(along) / math.hypot(*along))


class SpacePlacement:
    """Poses of bodies at the start, as the file says, and what frames they carry."""

    def __init__(self, model: ModelSpec) -> None:
        self.poses: dict[str, tuple[Array, Array]] = {
            name: (np.array(body.position), matrix_of(body.orientation))
            for name, body in model.bodies.items()
        }
        self.poses[GROUND] = np.zeros(3), np.eye(3)
        self._held = {name: Held(name, np.zeros(3), np.eye(3)) for name in self.poses}
        for name, frame in model.frames.items():
            self._held[name] = Held(frame.body or GROUND, np.array(frame.at), matrix_of(frame.orientation))

    def held(self, name: str) -> Held:
        """The axes that a body's or frame's name stands for."""
        return self._held[name]

    def point(self, attachment: AttachmentSpec) -> Array:
        """Where an attachment is [m], shape (3,)."""
        held = self.held(attachment.body)
        place, turn = self.poses[held.body]
        return np.asarray(place + turn @ held.point(attachment.at))

    def distance(self, first: AttachmentSpec, second: AttachmentSpec) -> float:
        """Distance of two attachments [m]."""
        return float(np.linalg.norm(self.point(second) - self.point(first)))


def matrix_of(orientation: OrientationSpec | None) -> Array:
    """The rotation of an orientation, shape (3, 3)."""
    return np.eye(3) if orientation is None else np.asarray(orientation.rotation().as_matrix())


def parameters_of(matrix: Array) -> Array:
    """Euler parameters of a rotation, the first one not negative, shape (4,)."""
    return np.asarray(Rotation.from_matrix(matrix).as_quat(canonical=True)[[3, 0, 1, 2]])

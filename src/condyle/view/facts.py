"""What a page needs of the model besides the motion: which bodies stand still, how they look, what touches what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from condyle.multibody.joint_declarations import HoldSpec
from condyle.multibody.spring_declarations import RotationalSpringSpec
from condyle.view.columns import Array

if TYPE_CHECKING:
    from condyle.model.declarations import ModelSpec
    from condyle.multibody.declarations import MeasureSpec
    from condyle.multibody.joint_declarations import Joint


@dataclass(frozen=True)
class Facts:
    """Answers about one model by name; a name the model does not know gets the answer that draws least."""

    model: ModelSpec

    def fixed(self, body: str) -> bool:
        """Whether the body keeps its pose."""
        found = self.model.bodies.get(body)
        return found is not None and found.fixed

    def is_frame(self, body: str) -> bool:
        """Whether a body's name is that of a frame on a beam."""
        return body in self.model.frames

    def drawings(self, body: str) -> list[Array]:
        """Polylines that only serve the picture, in the body's frame [m], each of shape (n, 2)."""
        found = self.model.bodies.get(body)
        return [] if found is None else [np.asarray(line, dtype=float) for line in found.drawing]

    def profile_body(self, profile: str) -> str:
        """The body that carries a profile."""
        found = self.model.profiles.get(profile)
        return "" if found is None else found.body

    def contact_profiles(self, contact: str) -> tuple[str, ...]:
        """The two profiles of a contact; several spots of one pair are named `pair/1`, `pair/2`."""
        found = self.model.profile_contacts.get(contact.partition("/")[0])
        return () if found is None else found.between

    def attachment_bodies(self, ligament: str) -> tuple[str, ...]:
        """Bodies that hold the origin and the insertion of a ligament's strand."""
        found = self.model.strands().get(ligament)
        return () if found is None else (found.origin.body, found.insertion.body)

    def joint(self, joint: str) -> Joint | None:
        """What a joint was declared as."""
        return self.model.joints.get(joint)

    def acts_somewhere(self, joint: str) -> bool:
        """Whether a joint holds points together; one that holds a measure acts at no one place."""
        return not isinstance(self.model.joints.get(joint), HoldSpec)

    def driven(self, driver: str) -> MeasureSpec | None:
        """The measure that a driver drives."""
        found = self.model.drivers.get(driver)
        return None if found is None else self.model.measures.get(found.measure)

    def turned_by_spring(self, spring: str) -> tuple[str, str] | None:
        """The bodies between which a spring acts on the angle; None for one between points."""
        found = self.model.springs.get(spring)
        return (found.origin, found.target) if isinstance(found, RotationalSpringSpec) else None

    def beam_height(self, beam: str) -> float:
        """Height of a beam's section [m]; zero where none is given."""
        found = self.model.beams.get(beam)
        return 0.0 if found is None or found.section is None else found.section.height

    def hollow(self, profile: str) -> bool:
        """Whether a profile is a circle with the solid around it, such as a bearing."""
        found = self.model.profiles.get(profile)
        return found is not None and found.outline.circle is not None and found.outline.circle.hollow

    def follows_outline(self, contact: str) -> bool:
        """Whether a contact's stiffness follows the curvature of its profiles, so that it stores no energy."""
        found = self.model.profile_contacts.get(contact.partition("/")[0])
        if found is None or found.law.stiffness is not None:
            return False
        first, second = (self.model.profiles[name] for name in found.between)
        return "profile" in found.effective_radii(first, second)

    def partners(self, profile: str) -> list[str]:
        """Profiles that may touch a profile."""
        pairs = [
            contact.between for contact in self.model.profile_contacts.values() if profile in contact.between
        ]
        return [name for pair in pairs for name in pair if name != profile]

    def straight(self, profile: str) -> bool:
        """Whether a profile is a straight line."""
        found = self.model.profiles.get(profile)
        return found is not None and found.outline.line is not None

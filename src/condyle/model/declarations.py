"""The whole model file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator

from condyle.beams.declarations import BeamSpec, FrameSpec
from condyle.contact.declarations import Contact, ContactSpec, MaterialSpec, ProfileSpec
from condyle.contact.surface_declarations import FoundationSpec, SurfaceSpec
from condyle.multibody.declarations import BodySpec, Load, MeasureSpec
from condyle.multibody.joint_declarations import DriverSpec, Joint, TableMotionSpec
from condyle.multibody.ligament_declarations import LigamentSpec, Strand
from condyle.multibody.spring_declarations import Spring
from condyle.spec.declaration import Declaration, Fault, Name, Text
from condyle.spec.errors import shown
from condyle.spec.quantity import BY_DEFAULT, Count, Gravity, Part, PositiveTime, Rate, Tolerance, told
from condyle.spec.reference import Context

FORMAT_VERSION = 1
LONGEST_TITLE = 200
MOST_ROWS = 1_000_000

Integrator = Literal[
    "rk-gill", "rk4", "dopri5", "dopri8", "radau", "generalized-alpha", "ida", "adaptive", "stiff"
]
FIXED_STEP: tuple[Integrator, ...] = ("rk-gill", "rk4", "generalized-alpha")


class RunSpec(Declaration):
    """What to run, and how accurately."""

    analysis: Literal["forward", "kinematics", "inverse", "equilibrium"] = Field(
        "forward",
        description="Motion under forces; motion that drivers decide alone, or (inverse) also the efforts that it "
        "takes; or rest under the load of every instant.",
    )
    duration: PositiveTime = Field(description="Time to simulate [s].")
    start: Literal["as-placed", "equilibrium"] = Field(
        "as-placed",
        description="Whether motion begins where the file places the bodies, or from the pose in which the loads of "
        "the first instant balance.",
    )
    integrator: Integrator = Field(
        "rk-gill",
        description="Method of integration; adaptive stands for dopri8, stiff for radau; ida needs the extra sundials.",
    )
    step: PositiveTime = Field(
        1e-5, description="Step of the fixed-step methods, first step of the others [s]."
    )
    output_step: PositiveTime = Field(1e-3, description="Time between two rows of the results [s].")
    relative_tolerance: Tolerance = Field(
        1e-8, description="Relative error per step of the adaptive methods [-]."
    )
    absolute_tolerance: Tolerance = Field(
        1e-10, description="Absolute error per step of the adaptive methods, in m, rad, m/s and rad/s."
    )
    spectral_radius: Part = Field(
        0.8,
        description="Of generalized-alpha: what a step leaves of waves it cannot follow, 1 all, 0 nothing [-].",
    )
    step_control: bool = Field(
        default=False,
        strict=True,
        description="Of generalized-alpha: whether it chooses its steps by the tolerances, beginning with step.",
    )
    newton_tolerance: Tolerance = Field(
        1e-9,
        description="Of generalized-alpha: change of a coordinate that ends a step's iteration [m or rad].",
    )
    audit_tolerance: Tolerance = Field(
        1e-6, description="Relative energy residual above which the audit fails [-]."
    )
    stabilization: Literal["projection", "baumgarte", "none"] = Field(
        "projection",
        description="What keeps joints together against drift: projection onto them, or Baumgarte's method.",
    )
    baumgarte_rate: Rate = Field(
        100.0, description="Rate alpha = beta [1/s] at which Baumgarte's method closes what has drifted."
    )
    drift_tolerance: Tolerance = Field(
        1e-10, description="Drift of a joint [m, rad or their rates] above which it is projected."
    )
    step_budget: Count = Field(
        20_000_000, ge=1, le=10**15, description="Steps above which a run asks first, or needs --force."
    )

    @property
    def method(self) -> str:
        """The integrator, aliases resolved."""
        return {"adaptive": "dopri8", "stiff": "radau"}.get(self.integrator, self.integrator)

    def is_fixed_step(self) -> bool:
        """Whether the method keeps to the step it is given."""
        return self.integrator in FIXED_STEP

    def steps(self) -> int:
        """Steps the run takes; for methods that choose their own, the least it may take."""
        step = self.step if self.is_fixed_step() else max(self.step, self.output_step)
        return _count(self.duration, step)

    def rows(self) -> int:
        """Rows of the results: the start, every output step, and the end."""
        return _count(self.duration, self.output_step) + 1

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Steps fit into the duration, and the results into memory."""
        if self.step > self.duration:
            yield ("step",), f"longer than the duration, {self.duration:g} s; got {self.step:g}"
        if self.output_step > self.duration:
            yield ("output_step",), f"longer than the duration, {self.duration:g} s; got {self.output_step:g}"
        if self.rows() > MOST_ROWS:
            least = self.duration / MOST_ROWS
            yield (
                ("output_step",),
                f"makes {self.rows():.3g} rows of results; take {2.0 * least:.1g} s or more",
            )


def _count(duration: float, step: float) -> int:
    """Steps that cover a duration; one that differs from whole by round-off is whole."""
    return math.ceil(duration / step * (1.0 - 1e-12))


def _one_line(value: str) -> str:
    if not value.strip() or "\n" in value or len(value) > LONGEST_TITLE:
        raise told(f"expected one line of at most {LONGEST_TITLE} characters; got {shown(value)}")
    return value


class ModelSpec(Declaration):
    """A model: bodies, what holds and drives them, and what to run."""

    condyle: Literal[1] = Field(description="Version of the file's format: 1.")
    title: Annotated[Text, AfterValidator(_one_line)] = Field(
        description="One line that says what the model is."
    )
    description: Text = Field("", description="More about the model.")
    dimensions: Literal[2, 3] = Field(
        2, description="2 for a model in the plane, 3 for one in space, whose vectors have three numbers."
    )
    gravity: Gravity = Field(
        BY_DEFAULT,
        validate_default=True,
        description="Acceleration of gravity in m/s^2; by default 9.81 against y.",
    )
    bodies: dict[Name, BodySpec] = Field(min_length=1, max_length=1000, description="Rigid bodies by name.")
    materials: dict[Name, MaterialSpec] = Field({}, max_length=1000, description="Materials by name.")
    profiles: dict[Name, ProfileSpec] = Field({}, max_length=1000, description="Outlines of bodies by name.")
    surfaces: dict[Name, SurfaceSpec] = Field(
        {}, max_length=1000, description="In space: surfaces of bodies by name."
    )
    contacts: dict[Name, Contact] = Field(
        {}, max_length=1000, description="Pairs of profiles, or of surfaces, that may touch."
    )
    ligaments: dict[Name, LigamentSpec] = Field({}, max_length=1000, description="Ligaments by name.")
    beams: dict[Name, BeamSpec] = Field({}, max_length=1000, description="Flexible beams by name.")
    frames: dict[Name, FrameSpec] = Field(
        {}, max_length=1000, description="Places on beams by name; they serve wherever a body does."
    )
    joints: dict[Name, Joint] = Field({}, max_length=1000, description="Joints between bodies by name.")
    drivers: dict[Name, DriverSpec] = Field(
        {}, max_length=1000, description="Measures that follow a motion, whatever effort that takes."
    )
    springs: dict[Name, Spring] = Field({}, max_length=1000, description="Springs and dampers by name.")
    forces: dict[Name, Load] = Field({}, max_length=1000, description="Applied forces and torques by name.")
    measures: dict[Name, MeasureSpec] = Field(
        {}, max_length=1000, description="Angles, distances and coordinates."
    )
    run: RunSpec = Field(description="The run: its duration, method and accuracy.")
    variants: dict[Name, dict[str, Any]] = Field(
        {},
        max_length=1000,
        description="Sets of changes by name: dotted paths and values, and about: a sentence.",
    )

    @field_validator("condyle", mode="before")
    @classmethod
    def _readable_version(cls, value: object) -> object:
        if isinstance(value, bool) or value != FORMAT_VERSION:
            raise told(f"this version reads model files of format {FORMAT_VERSION}; got {shown(value)}")
        return FORMAT_VERSION

    @property
    def profile_contacts(self) -> dict[str, ContactSpec]:
        """Contacts between profiles in the plane."""
        return {name: spec for name, spec in self.contacts.items() if isinstance(spec, ContactSpec)}

    @property
    def foundations(self) -> dict[str, FoundationSpec]:
        """Contacts between surfaces in space."""
        return {name: spec for name, spec in self.contacts.items() if isinstance(spec, FoundationSpec)}

    def strands(self) -> dict[str, Strand]:
        """All ligament strands: `ACL`, or `ACL/anteromedial` where a ligament has bundles."""
        return {
            name: strand
            for ligament, spec in self.ligaments.items()
            for name, strand in spec.strands(ligament).items()
        }

    def faults(self, _context: Context) -> Iterator[Fault]:
        """Something must be able to move, a name is one thing, and space has no outlines and beams yet."""
        if self.dimensions == 3:
            for section, instead in (("profiles", "surfaces"), ("beams", "bodies and springs")):
                if getattr(self, section):
                    yield (section,), f"for models in the plane; in space there are {instead}"
        if all(body.fixed for body in self.bodies.values()) and not self.beams:
            yield ("bodies",), "all are fixed; one at least must be free to move"
        if self.dimensions == 3 and self.run.integrator == "ida":
            yield ("run", "integrator"), "ida is for models in the plane; take generalized-alpha or stiff"
        yield from self._motions_that_end()
        for name in self.frames:
            if name in self.bodies:
                yield ("frames", name), f"there is a body {shown(name)} as well; give the frame another name"
        for name in self.drivers:
            if name in self.joints:
                yield (
                    ("drivers", name),
                    f"there is a joint {shown(name)} as well; give the driver another name",
                )

    def _motions_that_end(self) -> Iterator[Fault]:
        """A table is no motion before its first instant and behind its last one."""
        for name, driver in self.drivers.items():
            if not isinstance(driver.motion, TableMotionSpec):
                continue
            place, times = ("drivers", name, "motion", "times"), driver.motion.times
            if times is None or driver.motion.repeat:  # of a file: told when it is read
                continue
            if times[0] > 0.0:
                yield place, f"begin at {times[0]:g} s; a driver must know where to be from the start on, 0 s"
            if times[-1] < self.run.duration * (1.0 - 1e-9):
                yield (
                    place,
                    f"end at {times[-1]:g} s, before the run does, {self.run.duration:g} s; add instants or shorten "
                    "run.duration",
                )

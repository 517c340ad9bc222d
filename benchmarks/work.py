"""What is computed, as plain numbers that every peer reads, whatever it is written in."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Ball:
    """A ball dropped on a plane, elastic Hertz contact, SI units.

    gap: height of its lowest point at the start. repeats: timed runs in each process, after one that is not
    timed.
    """

    mass: float
    inertia: float
    radius: float
    gap: float
    stiffness: float
    gravity: float = 9.81
    duration: float = 5.0
    step: float = 1e-5
    output_step: float = 1e-3
    repeats: int = 3
    contact: str = ""

    def overrides(self) -> dict[str, Any]:
        """What Condyle's model file is changed by, so that law, method and step are those of the peers."""
        law = f"contacts.{self.contact}.law"
        run = {"duration": self.duration, "step": self.step, "output_step": self.output_step}
        changed = {f"run.{name}": value for name, value in run.items()}
        return {law: "hertz", f"{law}.stiffness": self.stiffness, "run.integrator": "rk4", **changed}

    @property
    def steps(self) -> int:
        """Steps of one run."""
        return round(self.duration / self.step)


@dataclass(frozen=True)
class KneeRun:
    """The built-in planar knee: 0.5 s at 1e-5 s.

    profile: how the femoral outline is interpolated, "exact" or one of the splines; with "two splines" the
    plateau, a line, is a spline as well.
    """

    profile: str = "exact"
    integrator: str = "rk-gill"
    duration: float = 0.5
    step: float = 1e-5
    output_step: float = 1e-3
    repeats: int = 5

    def overrides(self) -> dict[str, Any]:
        """What Condyle's model file is changed by."""
        run = {"duration": self.duration, "step": self.step, "output_step": self.output_step}
        changed: dict[str, Any] = {f"run.{name}": value for name, value in run.items()}
        changed["run.integrator"] = self.integrator
        if self.profile == "two splines":
            changed["profiles.plateau.outline.line.samples"] = 13
            changed["profiles.plateau.interpolation"] = "shape-preserving"
        else:
            changed["profiles.condyle.interpolation"] = self.profile
        return changed

    @property
    def steps(self) -> int:
        """Steps of one run."""
        return round(self.duration / self.step)


@dataclass(frozen=True)
class Slider:
    """A driven slider-crank whose slider meets a face, SI units, planar, gravity down (-y).

    variant: "rigid" (rigid rod, fixed face), "flexible" (elastic rod, fixed face) or "flexible-spring" (elastic
    rod, the face on a block held by a spring and a damper). The crank starts at -90 degrees, pointing down.
    """

    variant: str = "flexible"
    gravity: float = 9.81
    speed: float = 2.0 * math.pi / 5.0  # of the crank, constant [rad/s]
    crank_length: float = 0.10
    crank_mass: float = 0.2
    rod_length: float = 0.40
    rod_mass: float = 0.048
    axial: float = 1e5  # EA [N]
    bending: float = 1e4 / 12e3  # EI [N m^2]
    elements: int = 8
    slider_mass: float = 0.2
    slider_length: float = 0.10  # from the pin to the end face
    face: float = 0.595
    stiffness: float = 4e5  # of the contact [N/m^1.5]
    restitution: float = 0.1
    block_mass: float = 0.2
    block_stiffness: float = 50.0
    block_damping: float = 0.1
    duration: float = 5.0
    step: float = 1e-5
    output_step: float = 1e-3
    repeats: int = 3

    @property
    def steps(self) -> int:
        """Steps of one run."""
        return round(self.duration / self.step)

    @property
    def often(self) -> str:
        """A word where every step is stored."""
        return ", every step stored" if self.output_step <= self.step else ""

    @property
    def start_pin(self) -> float:
        """Abscissa of pin B at the start."""
        return math.sqrt(self.rod_length**2 - self.crank_length**2)

    @property
    def start_speed(self) -> float:
        """Speed along x of the crank's tip, of every point of the rod and of the slider at the start."""
        return self.crank_length * self.speed

    @property
    def start_gap(self) -> float:
        """From the slider's end face to the face at the start."""
        return self.face - self.start_pin - self.slider_length

    @property
    def hysteresis(self) -> float:
        """What the rate over its value at onset is multiplied by."""
        return 0.75 * (1.0 - self.restitution**2)

    def overrides(self, integrator: str = "rk-gill") -> dict[str, Any]:
        """What Condyle's model file `slider-crank` is changed by; its numbers are those above."""
        run = {"duration": self.duration, "step": self.step, "output_step": self.output_step}
        changed: dict[str, Any] = {f"run.{name}": value for name, value in run.items()}
        if self.variant != "rigid":
            changed["beams.rod.elements"] = self.elements
        return {**changed, "run.integrator": integrator}


@dataclass(frozen=True)
class Penalty:
    """What stands for joints and drive in the form without constraints: springs, and a torsional one that drives.

    A spring of Condyle's damps along the line through its ends, Exudyn's along x and y. Without dampers in the pins
    both solve the same equations; the drive has one. quadrature: points of integration in a cable for axial strain
    and curvature, one of `QUADRATURES`; Condyle has always the last.
    """

    stiffness: float = 1e6
    drive_stiffness: float = 1e3
    drive_damping: float = 0.5
    quadrature: str = "3 and 3"

    @property
    def points(self) -> str:
        """The quadrature in words."""
        return f"{self.quadrature} points"

    def overrides(self, case: Slider) -> dict[str, Any]:
        """What Condyle's model file `slider-crank` is changed by.

        The guide is two springs with ends so far off (10 km above and below) that they act along y alone. The drive's
        spring and damper turn the crank against the ground, and a torque that grows with time turns it by what the
        moving angle adds.
        """
        pin = {"kind": "translational", "stiffness": self.stiffness, "rest_length": 0.0}
        guide = {**pin, "stiffness": 0.5 * self.stiffness, "rest_length": FAR, "to": {"body": "slider"}}
        half = 0.5 * case.crank_length
        springs = {
            "O": {**pin, "from": {"body": "ground"}, "to": {"body": "crank", "at": [-half, 0.0]}},
            "A": {**pin, "from": {"body": "crank", "at": [half, 0.0]}, "to": {"body": "rod-begin"}},
            "B": {**pin, "from": {"body": "rod-end"}, "to": {"body": "slider"}},
            "above": {**guide, "from": {"body": "ground", "at": [case.rod_length, FAR]}},
            "below": {**guide, "from": {"body": "ground", "at": [case.rod_length, -FAR]}},
            "drive": {
                "kind": "rotational",
                "from": "ground",
                "to": "crank",
                "stiffness": self.drive_stiffness,
                "damping": self.drive_damping,
                "rest_angle": -0.5 * math.pi,
            },
        }
        times = [0.0, case.duration]
        torques = [(self.drive_stiffness * time + self.drive_damping) * case.speed for time in times]
        course = {"kind": "table", "times": times, "values": torques}
        return {
            **case.overrides("rk4"),
            "joints": {},
            "drivers": {},
            "springs": springs,
            "forces.drive": {"kind": "torque", "body": "crank", "amplitude": 1.0, "course": course},
            # The slider's centre of mass is put at its pin, so that no pin turns it.
            "bodies.slider.position": [case.start_pin, 0.0],
            "profiles.end.outline.point": [case.slider_length, 0.0],
            "measures.slider.of.at": [case.slider_length, 0.0],
        }


@dataclass(frozen=True)
class Scaling:
    """The same beam, swinging on a pin, in ever more elements, for the same number of steps.

    The explicit method's step shrinks with the square of an element's length, as the fastest bending wave asks; the
    implicit one's stays.
    """

    elements: tuple[int, ...] = (8, 16, 32, 64, 128, 256, 512)
    forms: tuple[str, ...] = ("explicit", "implicit")
    steps: int = 600
    repeats: int = 3

    def overrides(self, form: str, elements: int) -> dict[str, Any]:
        """What Condyle's model file `flexible-pendulum` is changed by."""
        explicit = form == "explicit"
        step = 1e-4 * (16 / elements) ** 2 if explicit else 1e-3
        return {
            "beams.bar.elements": elements,
            "run.integrator": "rk4" if explicit else "generalized-alpha",
            "run.step": step,
            "run.duration": self.steps * step,
            "run.output_step": self.steps * step,
        }


@dataclass(frozen=True)
class Foundation:
    """A sphere of triangles pressed into the top of a block of triangles, elastic foundation, SI units.

    20 * 4**level faces on the sphere, 12 * cells**2 on the block. integrate: of Condyle, the sphere alone ("first"),
    which is all that is needed, or "both" as OpenSim does.
    """

    radius: float = 0.02
    modulus: float = 1e9
    level: int = 4
    cells: int = 16
    integrate: str = "first"
    smooth: bool = True
    passes: int = 10
    repeats: int = 5

    @property
    def poses(self) -> list[tuple[float, tuple[float, float, float]]]:
        """Depths [m] and angles about x, y, z of the turned axes [rad]; a run goes through them `passes` times."""
        depths = [6e-4 + 1e-4 * k for k in range(9)]
        turns = [(0.3 * k, 0.7 * k - 1.0, 1.1 * k) for k in range(5)]
        return [(depth, turn) for turn in turns for depth in depths]

    def exact(self, depth: float, law: str) -> float:
        """The force [N] on a sphere without faces.

        "sphere": pressure on the sphere, along its normal (Condyle, one side). "plate": on the plate, depths along
        the sphere's radius (Condyle's other side). "opensim": the mean of springs on both surfaces, each along its
        own stretch, with the area of its own surface.
        """
        r, low = self.radius, self.radius - depth
        if law == "sphere":
            return self.modulus * math.pi * depth**2 * (r - depth / 3.0)
        if law == "plate":
            return self.modulus * 2.0 * math.pi * (r * (r**2 - low**2) / 2.0 - (r**3 - low**3) / 3.0)
        return self.modulus * math.pi * depth**2 * (r - depth / 2.0)


FAR = 1e4
# Poses in a run of the growing foundation.
EVALUATIONS = 200
# By the number that Exudyn's `useReducedOrderIntegration` has for each; it does not know the last.
QUADRATURES = ("5 and 3", "4 and 2", "3 Lobatto and 2", "3 and 3")


@dataclass(frozen=True)
class Times:
    """Seconds of each timed run: by the clock, and of the processor, which a busy machine disturbs less."""

    wall: tuple[float, ...] = ()
    processor: tuple[float, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a peer's process sends back.

    samples: the curve by which it is checked that all computed the
    same thing (the ball's gap [m], the knee's flexion [deg], the place of the slider's pin [m]), every `output_step`.
    more: other curves and numbers by name. absent: why there is nothing.
    """

    peer: str
    version: str = ""
    times: Times = Times()
    samples: tuple[float, ...] = ()
    absent: str = ""
    more: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

"""A ligament with a soft toe, where its fibres uncoil, and a linear part beyond.

    f = 0                    for e < 0
        k e^2 / (4 e_l)      for 0 <= e <= 2 e_l
        k (e - e_l)          for 2 e_l <= e,            e = (l - l0) / l0

The toe ends at the strain 2 e_l, where force and slope of both parts agree: f = k e_l and df/de = k. Energy and
slope over the length carry the rest length: E = l0 times the integral of f over e, dF/dl = (df/de) / l0.

Source: Andersen 2017, Eq. 15; Blankevoort 1991.

Deviations: the stiffness k is in newtons per unit strain, as the text below Andersen 2017, Eq. 15 has it; the values
that paper quotes are in N/m and have to be multiplied by the slack length first. Other programs name the strain
where the linear part begins, e_t = 2 e_l: give half of it here. With e_l = 0 there is no toe.
"""

from __future__ import annotations

from condyle._jit import kernel


@kernel
def toe_linear_energy(stiffness: float, linear_strain: float, rest: float, length: float) -> float:
    """Energy stored [J] at a length [m]; stiffness [N] per unit strain, linear strain [-], rest length [m]."""
    strain = (length - rest) / rest
    if strain <= 0.0:
        return 0.0
    if strain < 2.0 * linear_strain:
        return stiffness * rest * strain * strain * strain / (12.0 * linear_strain)
    # The toe has stored (2/3) e_l^2 and the line begins at e - e_l = e_l.
    beyond = strain - linear_strain
    return stiffness * rest * (0.5 * beyond * beyond + linear_strain * linear_strain / 6.0)


@kernel
def toe_linear_force(stiffness: float, linear_strain: float, rest: float, length: float) -> float:
    """Tension [N] at a length [m]; stiffness [N] per unit strain, linear strain [-], rest length [m]."""
    strain = (length - rest) / rest
    if strain <= 0.0:
        return 0.0
    if strain < 2.0 * linear_strain:
        return stiffness * strain * strain / (4.0 * linear_strain)  # Andersen 2017, Eq. 15
    return stiffness * (strain - linear_strain)  # Andersen 2017, Eq. 15


@kernel
def toe_linear_stiffness(stiffness: float, linear_strain: float, rest: float, length: float) -> float:
    """Slope of the tension [N/m] at a length [m]; stiffness [N] per unit strain, linear strain [-], rest length [m]."""
    strain = (length - rest) / rest
    if strain <= 0.0:
        return 0.0
    if strain < 2.0 * linear_strain:
        return stiffness * strain / (2.0 * linear_strain * rest)
    return stiffness / rest

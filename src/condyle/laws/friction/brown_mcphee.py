"""Continuous friction with stiction, viscous growth and parameters that can be measured.

    F = -N [ mu_d tanh(4 r) + (mu_s - mu_d) r / (r^2 / 4 + 3 / 4)^2 + mu_v v ],    r = v / v_t

The bracket rises to mu_s at the transition speed v_t, falls to mu_d beyond and then grows by the viscous term. It is
smooth everywhere and has no state: a load below mu_s N creeps, at less than v_t.

Source: Brown 2016.

Deviations: the paper's viscous term is mu_v v tanh(4 N / N_t), with mu_v in N s/m and a normal force N_t at which it
has set in. Here the viscous coefficient is in s/m and multiplies the normal force, so that friction starts from zero
with the contact and needs no further parameter. A normal force that pulls carries no friction.
"""

from __future__ import annotations

import math

from condyle._jit import kernel


@kernel
def brown_mcphee_force(
    normal: float, static: float, dynamic: float, viscous: float, transition_speed: float, speed: float
) -> float:
    """Friction [N], opposed to the speed [m/s], under a normal force [N].

    `static` >= `dynamic` >= 0 [-], `viscous` >= 0 [s/m], `transition_speed` > 0 [m/s].
    """
    r = speed / transition_speed
    hill = 0.25 * r * r + 0.75
    coefficient = dynamic * math.tanh(4.0 * r) + (static - dynamic) * (r / hill) / hill + viscous * speed
    return -max(normal, 0.0) * coefficient


@kernel
def brown_mcphee_power(
    normal: float, static: float, dynamic: float, viscous: float, transition_speed: float, speed: float
) -> float:
    """Power of the friction [W], never positive; arguments as in `brown_mcphee_force`."""
    return brown_mcphee_force(normal, static, dynamic, viscous, transition_speed, speed) * speed

"""
A knee in motion, and what its ligaments feel
=============================================

The shank starts bent, is pushed towards the knee by a short pulse, and gravity swings it straight. The posterior
cruciate is stretched the most; the ripple on all curves is the tibia ringing between soft cartilage and ligaments.
"""

import matplotlib.pyplot as plt
import numpy as np

import condyle

results = condyle.simulate(condyle.load("planar-knee"))
data = results.dataset
COLOUR = dict(zip(data.ligament.values, ("C0", "C1", "C2", "C3"), strict=True))

# %%
# The outlines are in their bodies' frames: turn and shift them to see the joint at any time. The contact force on the
# femur is drawn where it acts.


def placed(profile, now):
    """Outline of a profile in the global frame [mm]."""
    body = now.sel(body=now.profile_body.sel(profile=profile).item())
    cos, sin = np.cos(body.angle.item()), np.sin(body.angle.item())
    local = now.outline.sel(profile=profile).values[:, :2]
    return 1e3 * (local @ [[cos, sin], [-sin, cos]] + body.position.values[:2])


figure, panels = plt.subplots(1, 3, figsize=(9, 3.6), sharex=True, sharey=True)
for panel, row in zip(panels, (0, 250, 410), strict=True):
    now = data.isel(time=row).sel(contact="tibiofemoral")
    for profile in ("condyle", "plateau"):
        panel.plot(*placed(profile, now).T, color="#9aa2a6")
    for ligament in data.ligament.values:
        panel.plot(
            *(1e3 * now.ligament_point.sel(ligament=ligament).values[:, :2]).T,
            label=ligament,
            color=COLOUR[ligament],
        )
    if now.contact_normal_force > 0:
        place, force = 1e3 * now.contact_point.values, (now.contact_normal_force * now.contact_normal).values
        panel.quiver(*place[:2], *force[:2], color="#1b2126", scale=3000, width=0.012)
    panel.set(title=f"{now.time.item():.2f} s, {now.measure_value.item():.0f}° of flexion", aspect="equal")
    panel.set(xlabel="x [mm]")
panels[0].set_ylabel("y [mm]")
panels[0].legend(loc="upper left", fontsize=8)
plt.show()

# %%
# All four tighten as the knee straightens. Below zero strain a ligament is slack.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
flexion = data.measure_value.sel(measure="flexion")
for ligament in data.ligament.values:
    left.plot(1e3 * data.time, data.ligament_force.sel(ligament=ligament), label=ligament)
    right.plot(flexion, 100 * data.ligament_strain.sel(ligament=ligament))
right.axhline(0, color="#9aa2a6", linewidth=1)
right.invert_xaxis()
left.set(title="Tension over time", xlabel="time [ms]", ylabel="tension [N]")
right.set(title="Strain as the knee straightens", xlabel="flexion [deg]", ylabel="strain [%]")
left.legend()
plt.show()

# %%
# The run says how far it can be trusted.

print(results.summary().verdict)

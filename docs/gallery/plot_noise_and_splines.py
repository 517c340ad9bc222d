"""
Noise of a tenth of a millimetre, and four splines
==================================================

An outline taken off an image carries noise, and a spline goes through every point of it. Where the contact goes
hardly depends on the spline; the curvature does, and with points too close together the noise becomes bumps.
"""

import matplotlib.pyplot as plt
import numpy as np

import condyle
from condyle.geometry.curve import curve_normal, curve_table
from condyle.geometry.splines import polar_curve

SPLINES = ("shape-preserving", "cubic", "akima", "pchip")
RADIUS, CENTRE, NOISE = 0.04, np.array([0.006, 0.004]), 1e-4


def digitised(count):
    """Points on a circle that is not centred on the body's origin, with noise along its radius [m]."""
    angle = 2 * np.pi * np.arange(count) / count
    radius = RADIUS + NOISE * np.random.default_rng(1).standard_normal(count)
    return CENTRE + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


# %%
# First the outlines alone. True is a curvature of 25 per metre all along. Points 10 mm apart leave it within reason; at
# 3.5 mm the same noise makes it change sign: the outline has hollows, on which a flat plateau rides from bump to bump.

angles = np.linspace(-2.9, -1.2, 600)
figure, panels = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
for panel, count in zip(panels, (24, 72), strict=True):
    curves = curve_table([polar_curve(digitised(count), spline, closed=True) for spline in SPLINES])
    for k, spline in enumerate(SPLINES):
        curvature = [curve_normal(curves, k, angle)[2] for angle in angles]
        panel.plot(np.degrees(angles), curvature, label=spline, linewidth=1.3)
    panel.axhline(1 / RADIUS, color="#1b2126", linewidth=1, linestyle="--", label="true")
    panel.set(
        title=f"{count} points, {2e3 * np.pi * RADIUS / count:.1f} mm apart",
        xlabel="angle on the outline [deg]",
    )
panels[0].set_ylabel("curvature [1/m]")
panels[0].legend(fontsize=8, ncols=2)
plt.show()

# %%
# Then the knee on the 24 points, with each spline, beside the exact circle.

knee = condyle.load("planar-knee").updated({"profiles.condyle.outline.circle.center": CENTRE.tolist()})
exact = condyle.simulate(knee.updated({"profiles.condyle.interpolation": "exact"})).dataset
noisy = knee.updated({"profiles.condyle.outline": {"points": digitised(24).tolist()}})


def path_of(data):
    """Where the plateau is touched, in the tibia's frame [mm]."""
    place = data.contact_point_local.sel(contact="tibiofemoral", side="second", axis="y")
    return 1e3 * place.where(data.contact_depth.sel(contact="tibiofemoral") > 0)


figure, (path, depth) = plt.subplots(1, 2, figsize=(9, 3.4))
time = 1e3 * exact.time
path.plot(time, path_of(exact), color="#1b2126", linestyle="--", linewidth=1, label="exact circle")
depth.plot(time, 1e3 * exact.contact_depth.squeeze().clip(0), color="#1b2126", linestyle="--", linewidth=1)
for spline in SPLINES:
    results = condyle.simulate(noisy.updated({"profiles.condyle.interpolation": spline}))
    data = results.dataset.sel(contact="tibiofemoral")
    path.plot(time, path_of(results.dataset), label=spline, linewidth=1.2)
    depth.plot(time, 1e3 * data.contact_depth.clip(0), linewidth=1.2)
    off = np.abs(path_of(results.dataset) - path_of(exact)).max().item()
    print(
        f"{spline:17} path off by {off:.1f} mm at most, largest force {data.peak_contact_force.item():.0f} N"
    )
path.set(title="Contact on the plateau", xlabel="time [ms]", ylabel="towards the back [mm]")
depth.set(title="Depth", xlabel="time [ms]", ylabel="depth [mm]")
path.legend(fontsize=8)
plt.show()

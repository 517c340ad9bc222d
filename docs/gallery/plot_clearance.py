"""
A knee in a bearing and a knee on a plateau
===========================================

Some models treat the knee as a revolute joint with play: a journal in a bearing. With a radius of 1 m the bearing
is nearly a plane, and the knee moves nearly as on one; a tighter one stops it earlier.
"""

import matplotlib.pyplot as plt

import condyle

free = condyle.load("planar-knee")
loose = condyle.load("planar-knee-clearance")
runs = {
    "flat plateau": condyle.simulate(free),
    "bearing, 1 m": condyle.simulate(loose),
    "bearing, 0.1 m": condyle.simulate(loose.variant("tight")),
}

figure, (motion, path, force) = plt.subplots(1, 3, figsize=(10, 3.6))
for label, results in runs.items():
    data = results.dataset
    flexion = data.measure_value.sel(measure="flexion")
    motion.plot(1e3 * data.time, flexion, label=label)
    tibia = 1e3 * data.contact_point_local.sel(side="second").squeeze()
    path.plot(flexion, tibia.sel(axis="y").where(data.contact_depth.squeeze() > 0))
    force.plot(1e3 * data.time, data.contact_normal_force.squeeze())
motion.set(title="Flexion", xlabel="time [ms]", ylabel="flexion [deg]")
path.set(title="Contact on the tibia", xlabel="flexion [deg]", ylabel="towards the back [mm]")
force.set(title="Contact force", xlabel="time [ms]", ylabel="force [N]")
path.invert_xaxis()
motion.legend()
plt.show()

# %%
# The range of flexion, which Machado 2010 compares too.

for label, results in runs.items():
    flexion = results.dataset.measure_value.sel(measure="flexion")
    print(f"{label:15} {flexion.max().item() - flexion.min().item():.2f} deg, {results.summary().verdict}")

"""
The loops of the contact laws
=============================

A ball of 0.2 kg hits the ground with 2 m/s, and every law is asked for the same restitution, 0.5. The area of the
loop is the energy that is lost: the laws differ widely, and only some give back half of the speed, as asked.
"""

import matplotlib.pyplot as plt

import condyle

LAWS = ("hertz", "hunt-crossley", "lankarani-nikravesh", "gonthier", "flores", "hu-guo")
impact = condyle.load("bouncing-ball").updated(
    {
        "gravity": [0, 0],
        "bodies.ball.position": [0, "50.001 mm"],
        "bodies.ball.velocity": [0, -2],
        "run.duration": "12 ms",
        "run.step": "2 us",
        "run.output_step": "10 us",
    }
)

figure, panels = plt.subplots(2, 3, figsize=(9, 5.4), sharex=True, sharey=True)
for panel, law in zip(panels.flat, LAWS, strict=True):
    asked = {} if law == "hertz" else {"restitution": 0.5}
    results = condyle.simulate(impact.updated({"contacts.bounce.law": {"kind": law, **asked}}))
    data = results.dataset.sel(contact="bounce")
    depth, force = 1e3 * data.contact_depth.clip(0), data.contact_normal_force
    panel.fill(depth, force, color="C0", alpha=0.12, linewidth=0)
    panel.plot(depth, force)

    # What came out of this impact: speed after over speed before, and the energy of the loop.
    speed = data.velocity.sel(body="ball", axis="y")
    lost = data.energy.sel(kind="dissipated")[-1].item()
    restitution = -speed[-1].item() / speed[0].item()
    panel.set_title(f"{law}\nrestitution {restitution:.2f}, lost {1e3 * lost:.0f} mJ")
for panel in panels[-1]:
    panel.set_xlabel("depth [mm]")
for panel in panels[:, 0]:
    panel.set_ylabel("force [N]")
plt.show()

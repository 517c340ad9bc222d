"""Scalar laws: stateless functions of numbers in SI units, one law a file, no knowledge of bodies.

A law is a ladder of functions with fixed endings. ``_energy``, ``_force`` and ``_stiffness`` are derivatives of each
other, positive in compression for a depth and in tension for a length; ``_power`` is what a dissipative law feeds
into the motion [W] and is never positive. The paragraph ``Source:`` of each file names the paper and its equation by
a key of ``docs/references.bib``.
"""

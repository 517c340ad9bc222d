"""Rigid bodies and what acts on them: ligaments, loads, measures."""

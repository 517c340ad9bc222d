"""Pairs of outlines that meet: where they touch, how deep, and with what force."""

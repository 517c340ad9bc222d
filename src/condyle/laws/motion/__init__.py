"""Motions that a driver follows: a value over time with its first and second rate."""

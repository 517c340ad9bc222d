"""Courses over time: the factor or the force that a load has at an instant."""

"""The seams as types: bodies and frames, the state of a run, and what a right-hand side writes."""

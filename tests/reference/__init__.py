"""Answers found by other means than Condyle's own, to hold it against. Nothing in here imports Condyle."""

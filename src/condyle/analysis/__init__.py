"""The questions one asks a model: forward motion so far."""

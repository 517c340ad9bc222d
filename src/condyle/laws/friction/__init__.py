"""Laws of dry friction: a signed force against the sliding speed, for a given normal force."""

"""Laws of ligaments: tension over length, slack below the rest length."""

"""What the page of Kasai 2024 is made of: cases, motions, and its figures."""

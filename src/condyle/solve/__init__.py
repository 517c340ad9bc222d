"""Numerical methods without domain words: tableaus, roots."""

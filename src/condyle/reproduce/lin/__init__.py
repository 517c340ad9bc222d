"""What the page of Lin 2010 is made of: cases, motions, and its figures."""

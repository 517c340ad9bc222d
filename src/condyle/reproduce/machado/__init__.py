"""What the page of Machado 2010 is made of: cases, motions, panels, and its figures by subject."""

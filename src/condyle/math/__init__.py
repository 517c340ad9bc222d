"""Mathematics without domain words."""

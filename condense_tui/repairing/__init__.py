"""A damaged session → the lines of a mended copy, and what was done to them."""

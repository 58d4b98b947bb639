"""How wide text is in a terminal, by the very table that Textual lays screens out with.

The one place where the core asks Rich, for a fact and not for painting: another table would
disagree with the screen about some characters, and columns would shift.
"""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size, set_cell_size, split_graphemes

__all__ = ["cell_len", "get_character_cell_size", "set_cell_size", "split_graphemes"]

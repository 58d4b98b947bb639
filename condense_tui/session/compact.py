"""`Compact`: the base of values of which a session has hundreds of thousands.

Frozen like a frozen dataclass, but made in a tenth of the time, smaller, and never looked through
for cycles: so none of them may come to hold itself.
"""

from __future__ import annotations

import msgspec

changed = msgspec.structs.replace
"""The same value with other fields, like `dataclasses.replace`."""


class Compact(msgspec.Struct, frozen=True, gc=False):
    """Equal where the fields are; a class of things that are only themselves says `eq=False`."""

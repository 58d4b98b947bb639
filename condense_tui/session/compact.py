"""`Value` and `Compact`: the bases of what never changes once it is made.

Both are like frozen dataclasses, but declared in a fortieth of the time: more than a hundred of
them are, before there is anything to see.
"""

from __future__ import annotations

import msgspec

changed = msgspec.structs.replace
"""The same value with other fields, like `dataclasses.replace`."""


class Value(msgspec.Struct, frozen=True):
    """Equal where the fields are; a class of things that are only themselves says `eq=False`."""


class Compact(Value, frozen=True, gc=False):
    """The base of values of which a session has hundreds of thousands.

    Made in a tenth of the time, smaller, and never looked through for cycles: so none of them
    may come to hold itself.
    """

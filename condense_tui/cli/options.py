"""The options that many commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, convert

Config = Annotated[Path | None, Parameter(name="--config")]
Leaf = Annotated[str | None, Parameter(name="--leaf")]
Flag = Annotated[bool, Parameter(negative=())]
# Whatever is asked for is looked up, and an empty ref is one that is not found.
Ref = Annotated[str, Parameter(converter=convert)]

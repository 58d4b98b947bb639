"""The options that many commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token, convert

from condense_tui.cli.usage import given
from condense_tui.store import names_folder


def _file_given(wanted: Any, tokens: Sequence[Token]) -> Any:
    """The file to write; a path forgets that it ended as only one of a folder does."""
    if any(names_folder(token.value) for token in tokens):
        raise ValueError("names a folder: name a file in it")
    return given(wanted, tokens)


Config = Annotated[Path | None, Parameter(name="--config")]
Leaf = Annotated[str | None, Parameter(name="--leaf")]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], converter=_file_given)]
Flag = Annotated[bool, Parameter(negative=())]
# Whatever is asked for is looked up, and an empty ref is one that is not found.
Ref = Annotated[str, Parameter(converter=convert)]

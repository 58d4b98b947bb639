"""`Look`: a small session, a code, and the lines of the file that the code points at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from tests.build import SessionBuilder


@dataclass(frozen=True)
class Look:
    """A session under some settings, and the lines of the file that the code points at."""

    code: str
    session: Callable[[], SessionBuilder]
    lines: tuple[int | None, ...] = (None,)
    settings: dict[str, Any] = field(default_factory=dict)
    has_sidecars: bool = True

    def __str__(self) -> str:
        return f"{self.code}-{self.session.__name__}"

    def inspect(self) -> Inspection:
        return self.session().inspect(**self.settings)

    def found(self) -> list[Finding]:
        """What is found under the code, as version 2.5.0 too."""
        every = find(self.inspect(), lambda _: self.has_sidecars, is_legacy=True)
        return [finding for finding in every if finding.code == self.code]

    def check_fires(self) -> None:
        assert tuple(found.entry and found.entry.line for found in self.found()) == self.lines

    def check_silent(self) -> None:
        assert self.found() == []

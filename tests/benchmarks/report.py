"""What a benchmark prints: each figure with its target and with what it is measured against."""

from __future__ import annotations

import math
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_SIGNS = {True: "reached", False: "MISSED"}


@dataclass(frozen=True, slots=True)
class Figure:
    """`ms` is measured, `target` what it may be at most; `peer_ms` that of `peer` in this run."""

    what: str
    ms: float
    target: float = math.nan
    peer: str = ""
    peer_ms: float = math.nan

    @property
    def is_reached(self) -> bool:
        """Whether it is no more than it may be; what has no target always is."""
        return not self.ms > self.target

    @property
    def row(self) -> str:
        """The figure on one line."""
        target = f"<= {self.target:,.0f}" if math.isfinite(self.target) else ""
        verdict = "" if math.isnan(self.target) else _SIGNS[self.is_reached]
        ratio = "" if math.isnan(self.peer_ms) else f"{self.ms / self.peer_ms:6.2f} x {self.peer}"
        if math.isinf(self.peer_ms):
            ratio = f"       {self.peer} shows nothing"
        return f"{self.what:<62}{self.ms:>10,.1f}{target:>10}  {verdict:<8}{ratio}".rstrip()


def median(values: Sequence[float]) -> float:
    """What half of them are not above."""
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """What nineteen of twenty are not above."""
    ordered = sorted(values)
    return ordered[math.ceil(len(ordered) * 0.95) - 1]


def print_figures(title: str, figures: Sequence[Figure]) -> int:
    """The table, in milliseconds; the exit code is 1 where a target is missed."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{title} ({machine})\n{'':<62}{'ms':>10}{'target':>10}")
    for figure in figures:
        print(figure.row)
    return 0 if all(figure.is_reached for figure in figures) else 1

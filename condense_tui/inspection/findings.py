"""All findings of one look at a session; each kind of check is a module of `checks`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from condense_tui.inspection.checks.branches import find_unreached
from condense_tui.inspection.checks.failures import find_failures, find_settings
from condense_tui.inspection.checks.legacy import find_legacy
from condense_tui.inspection.checks.pairing import find_pairing
from condense_tui.inspection.checks.records import (
    HasSidecar,
    find_lost_records,
    find_lost_refs,
    find_lost_sidecars,
    find_reused_ids,
)
from condense_tui.inspection.checks.surprises import find_surprises
from condense_tui.inspection.codes import FINDING_CODES
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection

Check = Callable[[Inspection], Iterable[Finding]]


def _of_the_branch(check: Check) -> Check:
    """A check that asks neither the plan nor the settings, and so need not ask twice."""

    def listed(inspection: Inspection) -> tuple[Finding, ...]:
        return tuple(check(inspection))

    return lambda inspection: inspection.once(listed)


_CHECKS: tuple[Check, ...] = (
    find_failures,
    find_pairing,
    find_surprises,
    find_lost_refs,
    _of_the_branch(find_lost_records),
    _of_the_branch(find_reused_ids),
    _of_the_branch(find_unreached),
    find_settings,
)


def added_codes(before: Iterable[Finding], after: Iterable[Finding]) -> dict[str, int]:
    """How many findings of each code came to those that were there before, worst code first."""
    added = Counter(finding.code for finding in after)
    added.subtract(finding.code for finding in before)
    worst_first = sorted(added, key=lambda code: FINDING_CODES[code].severity.rank)
    return {code: added[code] for code in worst_first if added[code] > 0}


def find(
    inspection: Inspection, has_sidecar: HasSidecar | None = None, is_legacy: bool = False
) -> list[Finding]:
    """All findings, worst first, those of the context in its order and after the others.

    Whether spilled outputs are there is only judged where `has_sidecar` can tell; what version
    2.5.0 would do only where it `is_legacy` that one asks about.
    """
    found = [finding for check in _CHECKS for finding in check(inspection)]
    if has_sidecar:
        found += find_lost_sidecars(inspection, has_sidecar)
    if is_legacy:
        found += find_legacy(inspection)
    return sorted(found, key=lambda finding: (finding.severity.rank, finding.slot or 0))

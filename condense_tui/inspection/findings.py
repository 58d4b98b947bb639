"""All findings of one look at a session; each kind of check is a module of `checks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from condense_tui.inspection.checks.branches import find_unreached
from condense_tui.inspection.checks.failures import find_failures, find_settings
from condense_tui.inspection.checks.legacy import find_legacy
from condense_tui.inspection.checks.pairing import find_pairing, further_pairing
from condense_tui.inspection.checks.records import (
    HasSidecar,
    find_lost_records,
    find_lost_refs,
    find_lost_sidecars,
    find_reused_ids,
)
from condense_tui.inspection.checks.surprises import find_surprises
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection

Check = Callable[[Inspection], Iterable[Finding]]

_CHECKS: tuple[Check, ...] = (
    find_failures,
    find_pairing,
    find_surprises,
    find_lost_refs,
    find_lost_records,
    find_reused_ids,
    find_unreached,
    find_settings,
)
# These ask neither the plan nor the settings.
_OF_THE_BRANCH = frozenset({find_lost_records, find_reused_ids, find_unreached})
# Of these, messages with nothing to them change nothing.
_OF_WHAT_IS_PRUNED = (find_surprises, find_lost_refs, find_lost_records)


def find(
    inspection: Inspection, has_sidecar: HasSidecar | None = None, is_legacy: bool = False
) -> list[Finding]:
    """All findings, worst first, those of the context in its order and after the others.

    Whether spilled outputs are there is only judged where `has_sidecar` can tell; what version
    2.5.0 would do only where it `is_legacy` that one asks about.
    """
    found = [finding for check in _CHECKS for finding in _found(check, inspection)]
    if has_sidecar:
        found += find_lost_sidecars(inspection, has_sidecar)
    if is_legacy:
        found += find_legacy(inspection)
    return sorted(found, key=lambda finding: (finding.severity.rank, finding.slot or 0))


def _found(check: Check, inspection: Inspection) -> tuple[Finding, ...]:
    known = inspection.known_of_branch if check in _OF_THE_BRANCH else inspection.known
    if check not in known:
        known[check] = tuple(check(inspection))
    found: tuple[Finding, ...] = known[check]
    return found


def find_further(before: Inspection, after: Inspection) -> None:
    """Hand on what was found, where only messages were added that have nothing to do with it."""
    for check in _OF_WHAT_IS_PRUNED:
        known = after.known_of_branch if check in _OF_THE_BRANCH else after.known
        known[check] = _found(check, before)
    paired = further_pairing(_found(find_pairing, before), before.plan, after.plan)
    if paired is not None:
        after.known[find_pairing] = paired

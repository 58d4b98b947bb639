"""Records, refs, aliases and sidecars that lead nowhere, and ids that name several calls."""

from __future__ import annotations

from tests.build import SessionBuilder, record, ref, spilled
from tests.looks import Look


def archived() -> SessionBuilder:
    return SessionBuilder().user().turn("x", at=2000).archive("t1", "x", 2000)


def ref_of_nothing() -> SessionBuilder:
    session = archived()
    return session.summary(ref("t1", "x", 2000), ref("t9", "z", 9000))


def alias_of_nothing() -> SessionBuilder:
    return archived().turn("y", at=3000).alias(("y", 3000), ("gone", 1))


def alias_of_a_record() -> SessionBuilder:
    return archived().turn("y", at=3000).alias(("y", 3000), ("x", 2000))


def summary_of_an_alias() -> SessionBuilder:
    """A ref is never followed through an alias, so it finds nothing."""
    return alias_of_a_record().summary(ref("t2", "y", 3000))


def record_of_nothing() -> SessionBuilder:
    return archived().index(record("z", 9000))


def legacy_record_of_nothing() -> SessionBuilder:
    return archived().index(record("z"))


def legacy_record() -> SessionBuilder:
    return SessionBuilder().user().turn("x").archive("t1", "x", None)


def spilled_output() -> SessionBuilder:
    return SessionBuilder().user().turn("x", at=2000).index(spilled("x", 2000))


def reused() -> SessionBuilder:
    return archived().user().turn("x", at=3000)


def reused_with_a_legacy_record() -> SessionBuilder:
    return legacy_record().user().turn("x")


FIRES = [
    Look("ref-without-record", ref_of_nothing, (7,)),
    Look("ref-without-record", summary_of_an_alias, (10,)),
    Look("alias-without-original", alias_of_nothing, (9,)),
    Look("record-without-result", record_of_nothing, (7,)),
    Look("record-without-result", legacy_record_of_nothing, (7,)),
    Look("sidecar-missing", spilled_output, (5,), has_sidecars=False),
    Look("reused-id", reused, (4,)),
    Look("legacy-record-of-reused-id", reused_with_a_legacy_record, (6,)),
]
SILENT = [
    Look("ref-without-record", archived),
    Look("alias-without-original", alias_of_a_record),
    Look("record-without-result", archived),
    Look("record-without-result", legacy_record),
    Look("sidecar-missing", spilled_output),
    Look("sidecar-missing", archived, has_sidecars=False),
    Look("reused-id", archived),
    Look("legacy-record-of-reused-id", reused),
    Look("legacy-record-of-reused-id", legacy_record),
]


def test_a_reused_id_names_every_occurrence() -> None:
    [found] = Look("reused-id", reused).found()
    assert found.what == "x names 2 results: line 4, line 9"

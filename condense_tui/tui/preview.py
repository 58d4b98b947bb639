"""`Preview`: a session as condensing would make it, computed in a thread and never written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from condense_tui.condensing.condense import Condensed, Order
from condense_tui.condensing.extract import Extract
from condense_tui.copies.condensed import CopyPlace, condensed, new_header
from condense_tui.inspection.concerns import added_kinds, concerns
from condense_tui.inspection.findings import find
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.records import Record
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Refusal
from condense_tui.store import sidecar_finder, sidecar_reader
from condense_tui.tui.picture import Picture, Sidecars, picture_of

_MOST_CHARS_KEPT = 20_000_000


class Preview(Value, frozen=True):
    """`picture` is the one that would be taken of a copy by this order.

    `added` counts by code what `check` says of the copy and not of the session.
    """

    order: Order
    found: Condensed
    picture: Picture
    added: Mapping[str, int]

    __repr__ = object.__repr__

    @property
    def is_empty(self) -> bool:
        """Whether nothing would be added."""
        return not self.found.entries


def expected(picture: Picture, order: Order) -> Condensed | Refusal:
    """What the offline summariser makes of it; spilled bodies as if beside the session."""
    return picture.condensing.to(order, partial(_worked_out, picture, order), _is_small)


def _is_small(found: Condensed | Refusal) -> bool:
    """Whether it may stay in memory as long as the session is looked at."""
    if isinstance(found, Refusal):
        return True
    return found.report.raw_chars + sum(map(len, found.files.values())) <= _MOST_CHARS_KEPT


def _worked_out(picture: Picture, order: Order) -> Condensed | Refusal:
    place = CopyPlace(picture.path, picture.path, new_header(picture.path))
    order = changed(order, blobs_folder=place.blobs_folder)
    return condensed(picture.inspection, Extract(), order)


def take_preview(picture: Picture, order: Order) -> Preview | Refusal:
    """The preview of what is looked at; everything that takes time happens here."""
    found = expected(picture, order)
    if isinstance(found, Refusal):
        return found
    after = found.after
    sidecars = _unwritten(picture, found)
    taken = picture_of(picture.path, after, sidecars=sidecars)
    known = tuple(find(found.before, sidecar_finder(picture.path)))
    added = added_kinds(concerns(found.before, known), concerns(after, taken.findings))
    return Preview(order, found, taken, added)


def _unwritten(picture: Picture, found: Condensed) -> Sidecars:
    """Bodies that would be spilled are read from memory, all others from the disk."""
    is_on_disk, read = sidecar_finder(picture.path), sidecar_reader(picture.path)

    def is_there(record: Record) -> bool:
        return record.spill_path in found.files or is_on_disk(record)

    def body(record: Record) -> bytes | None:
        text = found.files.get(record.spill_path or "")
        return read(record) if text is None else utf8_bytes(text)

    return Sidecars(is_there, body)

"""Entries of older versions → entries of the present one, as pi rewrites them; we never write.

(Source: the session format notes, section 8.)
"""

from __future__ import annotations

from condense_tui.session.bodies import Bodies, Body, ChangedBodies
from condense_tui.session.compact import changed
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import as_number

_HOOK_ROLE = "hookMessage"


class Migration:
    """Brings the entries of one file, in order, from its version to the present one."""

    def __init__(self, version: int, bodies: Bodies) -> None:
        self._version = version
        self._has_ids = version >= 2
        self._has_hooks = version < 3
        self._hook_bodies = ChangedBodies(bodies, _without_hook_role)
        self._record_lines: list[int] = []
        self._id_by_line: dict[int, str] = {}
        self._parent: str | None = None

    def copy(self, bodies: Bodies) -> Migration:
        """The same, to go on with another file that begins alike."""
        other = Migration(self._version, bodies)
        other._record_lines, other._parent = [*self._record_lines], self._parent
        other._id_by_line = dict(self._id_by_line)
        return other

    def note_record(self, line: int) -> None:
        """A record stands on this line, the header among them: version 1 counts them."""
        if not self._has_ids:
            self._record_lines.append(line)

    def migrated(self, entry: Entry) -> Entry:
        """The next entry in its present form."""
        if not self._has_ids:
            entry = self._chained(entry)
        message = entry.message
        if self._has_hooks and entry.type == "message" and message and message.role == _HOOK_ROLE:
            outline = changed(message, shape=changed(message.shape, role="custom"))
            return changed(entry, message=outline, bodies=self._hook_bodies)
        return entry

    def _chained(self, entry: Entry) -> Entry:
        """Version 1 has no ids: each entry's parent is the one before it."""
        own_id, parent = f"line-{entry.line}", self._parent
        self._id_by_line[entry.line] = self._parent = own_id
        if entry.type == "compaction":
            entry = entry.with_bodies(ChangedBodies(entry.bodies, self._with_kept_entry_id))
        return changed(entry, id=own_id, parent_id=parent)

    def _with_kept_entry_id(self, body: Body) -> Body:
        """The boundary is an index into the records up to this one, header included."""
        index = as_number(body.get("firstKeptEntryIndex"))
        if index is None:
            return body
        changed = {key: item for key, item in body.items() if key != "firstKeptEntryIndex"}
        if isinstance(index, int) and 0 <= index < len(self._record_lines):
            kept = self._id_by_line.get(self._record_lines[index])
            if kept:
                changed["firstKeptEntryId"] = kept
        return changed


def _without_hook_role(body: Body) -> Body:
    message = body.get("message")
    if not isinstance(message, dict) or message.get("role") != _HOOK_ROLE:
        return body
    return {**body, "message": {**message, "role": "custom"}}

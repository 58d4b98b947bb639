"""`Inspection`: everything that follows from one session, one leaf and one set of settings.

Nothing is worked out here; each part is computed by its own room when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from condense_tui.pruning.detection import Chain, ChainFinder, eligible_chains
from condense_tui.pruning.grace import in_grace
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.indexbuilder import IndexBuilder
from condense_tui.pruning.ledger import Ledger, read_ledger
from condense_tui.pruning.legacy import plan_legacy_render
from condense_tui.pruning.metrics import Gauge, Metrics, gauge_of, status_line
from condense_tui.pruning.pending import Batch, parted, pending_batches
from condense_tui.pruning.ranges import Range, Unresolved, resolve_ranges
from condense_tui.pruning.records import (
    EntryType,
    SummaryRef,
    entry_type,
    is_as_written,
    summary_refs,
)
from condense_tui.pruning.render import RenderPlan, plan_render
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.branch import Branch, leaves, newest_leaf
from condense_tui.session.compact import Value
from condense_tui.session.context import Context, build_context
from condense_tui.session.entries import Entry, Problem
from condense_tui.session.messages import Message, message_of
from condense_tui.session.occurrences import bare_id_of

T = TypeVar("T")

_OF_THE_BRANCH = (
    *("ends", "newest_leaf", "context", "index", "ledger", "noted"),
    *("branch_messages", "measured_messages", "gauge", "ranges", "chain_finder", "named"),
    *("index_builder", "known_of_branch", "of_entries"),
)


class Inspection(Value, frozen=True, dict=True, weakref=True):
    """One look at a session; `path` is what it was opened by, for people to read."""

    branch: Branch
    settings: CondenseSettings
    path: str = ""

    __repr__ = object.__repr__

    def under(self, settings: CondenseSettings) -> Inspection:
        """The same look with other settings; what does not hang on them is not worked out anew."""
        other = Inspection(self.branch, settings, self.path)
        known = self.__dict__
        other.take_over({name: known[name] for name in _OF_THE_BRANCH if name in known})
        return other

    def take_over(self, known: Mapping[str, Any]) -> None:
        """What is known of this look already, by name; it is not worked out any more."""
        self.__dict__.update(known)

    def once(self, work: Callable[[Inspection], T]) -> T:
        """What hangs on the branch alone, worked out once whatever the settings become."""
        if work not in self.known_of_branch:
            self.known_of_branch[work] = work(self)
        found: T = self.known_of_branch[work]
        return found

    def for_good(self, work: Callable[[], T]) -> T:
        """What is known of single entries, and so stays true when the branch grows."""
        if work not in self.of_entries:
            self.of_entries[work] = work()
        found: T = self.of_entries[work]
        return found

    @cached_property
    def known_of_branch(self) -> dict[Callable[..., Any], Any]:
        """By what worked it out, what hangs on the branch alone; see `once`."""
        return {}

    @cached_property
    def known(self) -> dict[Callable[..., Any], Any]:
        """By what worked it out, what hangs on the branch and the settings."""
        return {}

    @cached_property
    def of_entries(self) -> dict[Callable[[], Any], Any]:
        """By what made it, what `for_good` keeps."""
        return {}

    @cached_property
    def named(self) -> frozenset[str]:
        """The occurrence keys and bare ids of all calls that anything recorded names."""
        index = self.index
        refs = [
            *(
                ref
                for entry in self.noted_as(EntryType.SUMMARY)
                for ref in index.summary_at(entry).refs
            ),
            *(ref for message in self.context.messages for ref in _refs_in_words(message)),
        ]
        keys = (key for chain in index.chains for key in chain.covered_keys or ())
        named = {*index.records, *index.aliases, *keys, *(ref.key for ref in refs)}
        ids = {*index.keys_of_id, *index.aliases_of_id, *(ref.tool_call_id for ref in refs)}
        return frozenset(named | ids | set(map(bare_id_of, named | ids)))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read in the file, and on the way to the leaf, in file order."""
        found = (*self.branch.session.problems, *self.branch.problems)
        return tuple(sorted(found, key=lambda problem: problem.line))

    @cached_property
    def ends(self) -> tuple[Entry, ...]:
        """The leaves of the session, one for each branch."""
        return leaves(self.branch.session)

    @cached_property
    def newest_leaf(self) -> Entry | None:
        """Where pi would open the session."""
        return newest_leaf(self.branch.session)

    @cached_property
    def context(self) -> Context:
        """What pi would send."""
        return build_context(self.branch)

    @cached_property
    def index(self) -> PruneIndex:
        """What the extension recorded."""
        return self.index_builder.finished()

    @cached_property
    def index_builder(self) -> IndexBuilder:
        """What the index comes from."""
        builder = IndexBuilder()
        builder.add_all(self.branch.entries)
        return builder

    @cached_property
    def ledger(self) -> Ledger:
        """What the extension notes about itself."""
        return read_ledger(self.noted)

    @cached_property
    def noted(self) -> list[Entry]:
        """The entries of the branch that an extension wrote, ours or another, root first."""
        return [entry for entry in self.branch.entries if entry.custom_type is not None]

    def noted_as(self, kind: EntryType) -> Iterator[Entry]:
        """The entries of one kind that our extension wrote, root first."""
        return (entry for entry in self.noted if entry_type(entry) is kind)

    @cached_property
    def plan(self) -> RenderPlan:
        """What the model is sent, and why."""
        return plan_render(self.context, self.index, self.settings)

    @cached_property
    def legacy_plan(self) -> RenderPlan:
        """The same under version 2.5.0 of the extension."""
        return plan_legacy_render(self.context, self.branch.entries, self.settings)

    @cached_property
    def branch_messages(self) -> list[Message]:
        """Every `message` entry of the branch, as a flush sees them."""
        return [message for message in self.measured_messages if is_message(message)]

    @cached_property
    def measured_messages(self) -> list[Message]:
        """The same and the `custom_message` entries, as the metrics count them."""
        return messages_of(self.branch.entries, self.context.messages)

    @property
    def chains(self) -> list[Chain]:
        """The chains that the extension finds."""
        return self.chain_finder.found

    @cached_property
    def chain_finder(self) -> ChainFinder:
        """What the chains come from."""
        finder = ChainFinder()
        finder.add_all(self.branch_messages)
        return finder

    @cached_property
    def keys_in_grace(self) -> list[str]:
        """The recoveries in grace, as a flush sees them."""
        return list(in_grace(self.branch_messages, self.settings.recovery_grace_turns))

    @cached_property
    def eligible(self) -> list[Chain]:
        """The chains that the next flush would compress, if compression is on."""
        compressed = {chain.start_timestamp for chain in self.index.chains}
        window = self.settings.chain_compression.rolling_window
        return eligible_chains(self.chains, window, compressed, self.keys_in_grace)

    @property
    def ready_chains(self) -> list[Chain]:
        """The same, and none while the settings switch compression off."""
        return self.eligible if self.settings.chain_compression.is_enabled else []

    @cached_property
    def pending(self) -> list[Batch]:
        """The batches that are not summarised, as the rules count them."""
        return pending_batches(self.branch_messages, self.index, self.settings)

    @property
    def due(self) -> list[Batch]:
        """What is pending and past the frontier: the next flush takes it up."""
        return self._parted[0]

    @property
    def passed_over(self) -> list[Batch]:
        """What is pending, but not past the frontier: no flush takes it up any more."""
        return self._parted[1]

    @cached_property
    def _parted(self) -> tuple[list[Batch], list[Batch]]:
        return parted(self.pending, self.ledger.frontier)

    @cached_property
    def ranges(self) -> list[Range | Unresolved]:
        """Every chain entry on the raw list, before any is skipped."""
        return resolve_ranges(self.index.chains, self.context.prunable)

    @cached_property
    def metrics(self) -> Metrics:
        """The three numbers of the status line's end."""
        return self.gauge.read(self.ledger.frontier, self.index, self.settings)

    @cached_property
    def gauge(self) -> Gauge:
        """What the metrics are read from."""
        return gauge_of(self.measured_messages)

    @cached_property
    def status_line(self) -> str:
        """The extension's status line."""
        plan = self.plan
        chars = (plan.raw_chars, plan.pruned_chars) if plan.is_pruned else None
        return status_line(self.settings.is_enabled, chars, plan.diagnostics, self.metrics)


def _refs_in_words(message: Message) -> tuple[SummaryRef, ...]:
    """Of a summary that is no entry of the extension, or that an edit has given other words."""
    if not message.is_summary or is_as_written(message):
        return ()
    return summary_refs(message.body.get("details"))


def is_message(message: Message) -> bool:
    """Whether a message is one that a flush sees."""
    return message.entry is not None and message.entry.type == "message"


def messages_of(entries: Iterable[Entry], context: Iterable[Message]) -> list[Message]:
    """As stored; the context's own where it has them so."""
    shown = {
        message.entry.index: message
        for message in context
        if message.entry and message.made is None
    }
    stored = (entry for entry in entries if entry.type in ("message", "custom_message"))
    messages = (shown.get(entry.index) or message_of(entry) for entry in stored)
    return [message for message in messages if message]

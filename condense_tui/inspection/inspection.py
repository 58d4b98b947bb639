"""`Inspection`: everything that follows from one session, one leaf and one set of settings.

Nothing is worked out here; each part is computed by its own room when it is first asked for.
"""

from __future__ import annotations

from functools import cached_property, partial

from condense_tui.pruning.detection import Chain, detect_chains, eligible_chains
from condense_tui.pruning.grace import in_grace
from condense_tui.pruning.index import PruneIndex, build_index
from condense_tui.pruning.ledger import Ledger, read_ledger
from condense_tui.pruning.legacy import plan_legacy_render
from condense_tui.pruning.metrics import Metrics, measure, status_line
from condense_tui.pruning.pending import Batch, pending_batches
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.ranges import Range, Unresolved, resolve_ranges
from condense_tui.pruning.render import RenderPlan, plan_render
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.branch import Branch, default_branch, leaves
from condense_tui.session.compact import Value
from condense_tui.session.context import Context, build_context
from condense_tui.session.entries import Entry, Problem
from condense_tui.session.messages import Message, message_of

_OF_THE_BRANCH = (
    *("ends", "newest_leaf", "context", "index", "ledger"),
    *("branch_messages", "measured_messages"),
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
        other.__dict__.update({name: known[name] for name in _OF_THE_BRANCH if name in known})
        return other

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
        return default_branch(self.branch.session).leaf

    @cached_property
    def context(self) -> Context:
        """What pi would send."""
        return build_context(self.branch)

    @cached_property
    def index(self) -> PruneIndex:
        """What the extension recorded."""
        return build_index(self.branch.entries)

    @cached_property
    def ledger(self) -> Ledger:
        """What the extension notes about itself."""
        return read_ledger(self.branch.entries)

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
        return self._messages_of("message")

    @cached_property
    def measured_messages(self) -> list[Message]:
        """The same and the `custom_message` entries, as the metrics count them."""
        return self._messages_of("message", "custom_message")

    @cached_property
    def chains(self) -> list[Chain]:
        """The chains that the extension finds."""
        return self._detected(self.branch_messages)

    @cached_property
    def keys_in_grace(self) -> list[str]:
        """The recoveries in grace, as a flush sees them."""
        return list(in_grace(self.branch_messages, self.settings.recovery_grace_turns))

    @cached_property
    def eligible(self) -> list[Chain]:
        """The chains that the next flush would compress."""
        compressed = {chain.start_timestamp for chain in self.index.chains}
        window = self.settings.chain_compression.rolling_window
        return eligible_chains(self.chains, window, compressed, self.keys_in_grace)

    @cached_property
    def pending(self) -> list[Batch]:
        """The batches that wait for a summary."""
        return pending_batches(self.branch_messages, self.index, self.settings)

    @cached_property
    def ranges(self) -> list[Range | Unresolved]:
        """Every chain entry on the raw list, before any is skipped."""
        return resolve_ranges(self.index.chains, self.plan.raw_messages)

    @cached_property
    def metrics(self) -> Metrics:
        """The three numbers of the status line's end."""
        return measure(self.measured_messages, self.ledger.frontier, self.index, self.settings)

    @cached_property
    def status_line(self) -> str:
        """The extension's status line."""
        plan = self.plan
        chars = (plan.raw_chars, plan.pruned_chars) if plan.is_pruned else None
        return status_line(self.settings.is_enabled, chars, plan.diagnostics, self.metrics)

    def _detected(self, messages: list[Message]) -> list[Chain]:
        return list(detect_chains(messages, partial(is_protected, settings=self.settings)))

    def _messages_of(self, *types: str) -> list[Message]:
        """As stored; the context's own where it has them so."""
        shown = {
            message.entry.index: message
            for message in self.context.messages
            if message.entry and message.made is None
        }
        entries = (entry for entry in self.branch.entries if entry.type in types)
        messages = (shown.get(entry.index) or message_of(entry) for entry in entries)
        return [message for message in messages if message]

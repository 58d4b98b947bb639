"""A target → the document that shows it whole, with links to everything that belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from condense_tui.inspection.calltree import CallNode, SummaryNode
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    FindingTarget,
    Links,
    ProblemTarget,
    SlotTarget,
    SummaryTarget,
    Target,
    answers_to,
    caller_of,
)
from condense_tui.inspection.passages import call_passages
from condense_tui.inspection.summarytree import output_size, size_unit
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.query import Match, ReadSidecar, match_of
from condense_tui.pruning.records import ChainEntry, Record, SummaryRef
from condense_tui.pruning.slots import Fate, FateKind, Slot
from condense_tui.session.compact import Value, changed
from condense_tui.session.dates import iso_text
from condense_tui.session.jsontext import number_text, utf16_length
from condense_tui.session.messages import Message
from condense_tui.session.outlines import RESULT
from condense_tui.view.document import Block, Form
from condense_tui.view.document import Document as Document
from condense_tui.view.lines import Span, Tone, accent, dim, line, strong
from condense_tui.view.messageblocks import message_blocks
from condense_tui.view.messages import message_text, message_title
from condense_tui.view.words import FATE_SIGNS, FATE_TONES, counted, role_word

# What is longer takes too long to be made while a person waits for the next key to work.
_LONG_CHARS = 500_000
_SOON = Block(line(dim("reading …")))


class DocumentMaker(Value, frozen=True):
    """Makes documents for one look at a session; reads no file itself.

    What has to be read, or is long, is left to the document's `make_whole`.
    """

    inspection: Inspection
    links: Links
    findings: tuple[Finding, ...]
    read_sidecar: ReadSidecar

    def document(self, target: Target) -> Document:
        """The document of a target of this look."""
        match target:
            case SlotTarget(number):
                return self._slot(number)
            case CallTarget():
                return self.call(target)
            case SummaryTarget(entry_index):
                return self._summary(entry_index)
            case ChainTarget(start):
                return self._chain(start)
            case FindingTarget(number):
                return self._finding(self.findings[number])
            case ProblemTarget(number):
                return self._problem(number)

    def _slot(self, number: int) -> Document:
        slot = self.inspection.plan.slots[number]
        about = (
            *self._fate_blocks(slot),
            *_slot_links(slot, self.links),
            *_entry_blocks(slot.message),
            Block(),
        )
        outline = Document(
            title=self._slot_title(slot),
            blocks=(*about, _SOON),
            original="",
            body=len(about),
            entry=slot.message.entry,
            target_named=self.target_named,
        )

        def whole() -> Document:
            body = message_blocks(slot, partial(self._target_of_call, number))
            original = message_text(slot.message)
            return changed(outline, blocks=(*about, *body), original=original)

        is_long = sum(self.inspection.plan.slot_chars[number]) > _LONG_CHARS
        return changed(outline, make_whole=whole) if is_long else whole()

    def _slot_title(self, slot: Slot) -> str:
        message = slot.message
        summary = self.links.summary_of_entry.get(message.entry.index) if message.entry else None
        if summary:
            return _summary_title(summary)
        if slot.fates[-1].kind is FateKind.INSERTED:
            return f"block {slot.fates[-1].block}"
        return f"{role_word(message.role)} {message_title(message)}".strip()

    def _target_of_call(self, number: int, call_id: str) -> Target | None:
        """Of a call in this slot its record, or else its result."""
        for answer in answers_to(self.inspection.plan.slots, number):
            if answer.tool_call_id == call_id:
                key = answer.occurrence
                is_known = key in self.links.node_of_key
                return CallTarget(key) if is_known else SlotTarget(self.links.slot_of_result[key])
        return None

    def target_named(self, name: str) -> Target | None:
        """What a ref, occurrence key, bare id or block in a text leads to."""
        index, links = self.inspection.index, self.links
        if chain := index.chain_of_block.get(name):
            return ChainTarget(chain.start_timestamp)
        key = name if name in links.node_of_key else index.resolve(name)
        return CallTarget(key) if key in links.node_of_key else None

    def _fate_blocks(self, slot: Slot) -> Iterator[Block]:
        for fate in slot.fates:
            sign = Span(f"{FATE_SIGNS[fate.kind]} ", FATE_TONES[fate.kind])
            yield Block(line(sign, fate.reason), target=self._fate_target(fate))

    def _fate_target(self, fate: Fate) -> Target | None:
        if fate.block and (chain := self.inspection.index.chain_of_block.get(fate.block)):
            return ChainTarget(chain.start_timestamp)
        if fate.key and fate.key in self.links.node_of_key:
            return CallTarget(fate.key)
        if fate.place is not None:
            return SlotTarget(self.links.slot_of_place[fate.place])
        return None

    def call(self, target: CallTarget, match: Match | None = None) -> Document:
        """The document of a call; `match` has its output, where that is known already."""
        node = _node_of(target, self.links, self.inspection.index)
        record = node.record
        if record is None:
            nothing = Block(line(Span("There is no record of this call.", Tone.WARNING)))
            return Document(node.key, (nothing, *self._call_links(node)), node.key)
        about = (*_record_blocks(record, node.short_ref), *self._call_links(node), Block())
        outline = Document(
            title=f"{node.short_ref or node.key} {record.tool_name} · {_size_text(record)}",
            blocks=(*about, _SOON),
            original="",
            body=len(about),
            entry=record.entry,
            target_named=self.target_named,
        )

        def whole() -> Document:
            found = match or match_of(record, node.key, self.read_sidecar)
            blocks = (*about, *_call_blocks(record, found))
            return changed(outline, blocks=blocks, original=found.output, body=len(blocks) - 1)

        is_to_be_read = record.is_spilled and match is None
        chars = len(match.raw if match else record.result_text) + _argument_chars(record)
        is_slow = is_to_be_read or chars > _LONG_CHARS
        return changed(outline, make_whole=whole) if is_slow else whole()

    def _call_links(self, node: CallNode) -> Iterator[Block]:
        links, key = self.links, node.key
        result = links.slot_of_result.get(key)
        caller = None if result is None else caller_of(self.inspection.plan.slots, result)
        if caller is not None:
            yield _link("the call in the context", SlotTarget(caller))
        if result is not None:
            yield _link("the result in the context", SlotTarget(result))
        if summary := links.summary_of_key.get(key):
            yield _link("its summary", SummaryTarget(summary.summary.entry.index))
        if chain := links.chain_of_key.get(key):
            yield _link(f"its chain {chain.block_id}", ChainTarget(chain.start_timestamp))
        for number in sorted(set(links.recoveries_of_key.get(key, ()))):
            yield _link("recovered by context_tree_query", SlotTarget(number))
        for alias_key in links.aliases_of_key.get(key, ()):
            is_alias = alias_key in self.inspection.index.records
            yield _link(f"same output as {alias_key}", CallTarget(alias_key, is_alias))
        if node.alias_of and node.alias_of in links.node_of_key:
            yield _link("the original of this output", CallTarget(node.alias_of))

    def _summary(self, entry_index: int) -> Document:
        node = self.links.summary_of_entry[entry_index]
        summary = node.summary
        number = self.links.slot_of_entry.get(entry_index)
        places = () if number is None else (_link("its place in the context", SlotTarget(number)),)
        about = (
            *places,
            *(_ref_link(ref, self.links) for ref in summary.refs),
            *_entry_line(summary.entry.line),
            Block(),
        )
        # A ref may have been given again since.
        own = {ref.short_ref: ref.key for ref in summary.refs}
        return Document(
            title=_summary_title(node),
            blocks=(*about, Block(text=summary.text, form=Form.MARKDOWN, passage=0)),
            original=summary.text,
            body=len(about),
            entry=summary.entry,
            target_named=lambda name: self.target_named(own.get(name, name)),
        )

    def _chain(self, start: Any) -> Document:
        node = self.links.node_of_start[start]
        chain = node.chain
        number = self.links.slot_of_block.get(chain.block_id)
        text = self._block_body(chain, number)
        state = "in the context" if node.is_placed else "not applied: its messages stay"
        about = (
            Block(line(state)),
            *(() if number is None else (_link("its block in the context", SlotTarget(number)),)),
            *(
                _link("a summary of it", SummaryTarget(summary.summary.entry.index))
                for summary in node.summaries
            ),
            *(_link(f"{call.short_ref or call.key}", CallTarget(call.key)) for call in node.calls),
            *_entry_line(chain.entry.line),
            Block(),
        )
        return Document(
            title=f"{chain.block_id} · {counted(node.call_count, 'call')}",
            blocks=(*about, Block(text=text, form=Form.MARKDOWN, passage=0)),
            original=text,
            body=len(about),
            entry=chain.entry,
            target_named=self.target_named,
        )

    def _block_body(self, chain: ChainEntry, number: int | None) -> str:
        if number is not None:
            return self.inspection.plan.slots[number].message.text
        if chain.range_summary is not None:
            return chain.range_summary
        return "\n\n".join(self.inspection.index.summary_texts(chain.covered_keys or ()))

    def _finding(self, finding: Finding) -> Document:
        code = finding.row
        target = None if finding.slot is None else SlotTarget(finding.slot)
        links = () if target is None else (_link("the place", target),)
        blocks = (
            Block(line(strong(finding.what))),
            Block(text=code.why),
            Block(text=code.advice),
            *links,
            *(_entry_line(finding.entry.line) if finding.entry else ()),
        )
        title = f"{finding.severity} {finding.code}"
        return Document(title, blocks, finding.what, entry=finding.entry)

    def _problem(self, number: int) -> Document:
        problem = self.inspection.problems[number]
        blocks = (*_entry_line(problem.line), Block(text=problem.reason))
        return Document(problem.kind.value, blocks, problem.reason)


def _slot_links(slot: Slot, links: Links) -> Iterator[Block]:
    key, entry = slot.message.occurrence, slot.message.entry
    if slot.message.role == RESULT and key in links.node_of_key:
        yield _link("its record", CallTarget(key))
    if entry and entry.index in links.summary_of_entry:
        yield _link("the summary", SummaryTarget(entry.index))


def _ref_link(ref: SummaryRef, links: Links) -> Block:
    node = links.node_of_key.get(ref.key)
    record = node.record if node else None
    what = record.tool_name if record else "no record"
    return _link(f"{ref.short_ref} {what}", CallTarget(ref.key) if node else None)


def _node_of(target: CallTarget, links: Links, index: PruneIndex) -> CallNode:
    """An alias has its original's record, under its own id and time."""
    node = links.node_of_key[target.key]
    if target.is_alias:
        node = changed(node, alias_of=index.aliases[target.key].original_key)
    return changed(node, record=index.alias_record(node.key)) if node.alias_of else node


def _summary_title(node: SummaryNode) -> str:
    turn = node.summary.turn_index
    chars = compact_count(utf16_length(node.summary.text))
    original = sum(output_size(call.record) for call in node.calls if call.record)
    return (
        f"Turn {'?' if turn is None else number_text(turn)} summary"
        f" · {counted(len(node.calls), 'tool')} · {chars} chars"
        f" · original {compact_count(original)}"
    )


def _link(text: str, target: Target | None) -> Block:
    return Block(line(accent("→ "), text), target=target)


def _entry_line(number: int) -> tuple[Block, ...]:
    return (Block(line(dim(f"line {number} of the file"))),)


def _entry_blocks(message: Message) -> Iterator[Block]:
    entry = message.entry
    if entry is None:
        yield Block(line(dim("made by the extension: in no line of the file")))
        return
    when = iso_text(message.timestamp) if message.timestamp is not None else None
    yield Block(line(dim(f"line {entry.line} · entry {entry.label} · {when or 'no time'}")))


def _size_text(record: Record) -> str:
    return f"{compact_count(output_size(record))} {size_unit(record)}"


def _record_blocks(record: Record, short_ref: str | None) -> Iterator[Block]:
    when = iso_text(record.result_timestamp) if record.result_timestamp is not None else None
    status = Span("error", Tone.BAD) if record.is_error else Span("ok", Tone.GOOD)
    turn = "?" if record.turn_index is None else number_text(record.turn_index)
    yield Block(line(accent(short_ref or "no ref"), f" · {record.key}"))
    size = _size_text(record)
    legacy = "legacy, no time" if record.result_timestamp is None else when or ""
    yield Block(line(dim(f"turn {turn} · "), status, dim(f" · {size} · {legacy}")))
    yield from _entry_line(record.entry.line)


def _call_blocks(record: Record, match: Match) -> Iterator[Block]:
    arguments, output = call_passages(record, match.output)
    yield Block(line(strong("Arguments")))
    yield Block(text=arguments.text, form=Form.JSON, passage=0)
    yield Block()
    yield Block(line(strong("Output"), dim(f"  {match.source.value}")))
    yield Block(text=output.text, form=Form.OUTPUT, passage=1)


def _argument_chars(record: Record) -> int:
    """About how long they are: what is long is a text that a file is to hold."""
    arguments = record.arguments
    values = arguments.values() if isinstance(arguments, dict) else (arguments,)
    return sum(len(value) for value in values if isinstance(value, str))

"""A target → what can be exported of it and around it, and a sentence on what was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TypeVar

from condense_tui.inspection.calltree import ChainNode, SummaryNode
from condense_tui.inspection.export import MANIFEST_NAME, Export, Text, plan_export
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    SlotTarget,
    SummaryTarget,
    Target,
    answers_to,
    calls_below,
)
from condense_tui.inspection.redaction import Redactor
from condense_tui.inspection.stems import safe_stem
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.query import Match, match_of, query
from condense_tui.pruning.records import Record
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import json_text, number_text
from condense_tui.view.context import View, context_objects
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.lines import Line, Span, Tone, dim, line
from condense_tui.view.markdown import context_markdown
from condense_tui.view.words import counted, masked_words

_T = TypeVar("_T")
_FILE_FATES = {
    True: Span("! replaces ", Tone.WARNING),
    False: Span("+ new      ", Tone.GOOD),
    None: Span("           "),
}


class ExportChoice(Value, frozen=True):
    """Something that can be exported; `plan` takes time and reads sidecar files."""

    title: str
    plan: Callable[[], Export]


def export_choices(
    maker: DocumentMaker, targets: Sequence[Target], is_masked: bool = False
) -> tuple[ExportChoice, ...]:
    """What belongs to the target first, of several their outputs; then what there always is.

    The same choices whether or not credentials are masked in them.
    """
    exports = _Exports(maker, is_masked)
    found = exports.of(targets[0]) if len(targets) == 1 else exports.outputs(targets)
    return (*found, *exports.always())


def default_folder(maker: DocumentMaker) -> str:
    """Where an export goes unless a person says otherwise."""
    return f"./{safe_stem(maker.inspection.branch.session.title)}-export"


class _Exports(Value, frozen=True):
    """The choices for one look at a session."""

    maker: DocumentMaker
    is_masked: bool

    def of(self, target: Target) -> Iterator[ExportChoice]:
        calls = self._recorded(self._calls(target))
        yield from self._outputs(calls)
        keys = [call.key for call in calls]
        if summary := self._summary(target, keys):
            yield self._summary_choice(summary)
        if chain := self._chain(target, keys):
            yield self._chain_choice(chain)

    def _calls(self, target: Target) -> list[CallTarget]:
        """The calls that a target is, answers or makes."""
        slots = self.maker.inspection.plan.slots
        match target:
            case CallTarget():
                return [target]
            case SlotTarget(number):
                answered = slots[number].message.occurrence
                made = dict.fromkeys(found.occurrence for found in answers_to(slots, number))
                return list(map(CallTarget, [answered] if answered else made))
            case _:
                return []

    def _record(self, call: CallTarget) -> Record | None:
        """Exactly this occurrence: an alias under its own key, a legacy record alone."""
        index, key = self.maker.inspection.index, call.key
        found = [index.alias_record(key)] if call.is_alias else index.occurrences_for(key)
        return _first(record for record in found if record and record.key == key)

    def _recorded(self, calls: Iterable[CallTarget]) -> list[CallTarget]:
        return [call for call in calls if self._record(call)]

    def _matches(self, calls: Iterable[CallTarget]) -> Iterator[Match]:
        records = (record for call in calls if (record := self._record(call)))
        return (match_of(record, record.key, self.maker.read_sidecar) for record in records)

    def outputs(self, targets: Iterable[Target]) -> Iterator[ExportChoice]:
        """Of several calls those that have a record."""
        calls = (target for target in targets if isinstance(target, CallTarget))
        return self._outputs(self._recorded(calls))

    def _outputs(self, calls: list[CallTarget]) -> Iterator[ExportChoice]:
        if calls:
            title = f"this output: {self.maker.document(calls[0]).title}"
            title = title if len(calls) == 1 else f"these {len(calls)} outputs"
            yield ExportChoice(title, lambda: self._plan(self._matches(calls)))

    def _summary(self, target: Target, keys: list[str]) -> SummaryNode | None:
        links, slots = self.maker.links, self.maker.inspection.plan.slots
        if isinstance(target, SummaryTarget):
            return links.summary_of_entry.get(target.entry_index)
        if isinstance(target, SlotTarget) and (entry := slots[target.number].message.entry):
            own = links.summary_of_entry.get(entry.index)
            return own or _first(links.summary_of_key.get(key) for key in keys)
        return _first(links.summary_of_key.get(key) for key in keys)

    def _summary_choice(self, node: SummaryNode) -> ExportChoice:
        text = self._summary_text(node)
        return ExportChoice(f"this summary: {text.what}", lambda: self._plan((), [text]))

    def _summary_text(self, node: SummaryNode) -> Text:
        document = self.maker.document(SummaryTarget(node.summary.entry.index))
        turn = node.summary.turn_index
        number = "unknown" if turn is None else number_text(turn)
        return Text(document.title, f"turn-{number}-summary", "md", document.original)

    def _chain(self, target: Target, keys: list[str]) -> ChainNode | None:
        links, inspection = self.maker.links, self.maker.inspection
        if isinstance(target, ChainTarget):
            return links.node_of_start.get(target.start)
        chains = [links.chain_of_key.get(key) for key in keys]
        if isinstance(target, SlotTarget):
            blocks = (fate.block for fate in inspection.plan.slots[target.number].fates)
            chains += [inspection.index.chain_of_block.get(block) for block in blocks if block]
        if isinstance(target, SummaryTarget):
            covered = links.summary_of_entry[target.entry_index].calls
            chains += [links.chain_of_key.get(call.key) for call in covered]
        chain = _first(chains)
        return links.node_of_start.get(chain.start_timestamp) if chain else None

    def _chain_choice(self, node: ChainNode) -> ExportChoice:
        document = self.maker.document(ChainTarget(node.chain.start_timestamp))
        block = Text(f"block {node.chain.block_id}", node.chain.block_id, "md", document.original)
        texts = [block, *map(self._summary_text, node.summaries)]
        calls = [CallTarget(call.key) for call in calls_below(node)]
        title = f"this whole chain: {document.title}"
        return ExportChoice(title, lambda: self._plan(self._matches(calls), texts))

    def always(self) -> Iterator[ExportChoice]:
        index = self.maker.inspection.index
        count = counted(len(index.all_keys), "output")
        yield ExportChoice(f"everything recovered: {count}", self._everything)
        yield ExportChoice("the context as Markdown", lambda: self._plan((), [self._markdown()]))
        yield ExportChoice("the context as JSON", lambda: self._plan((), [self._json()]))

    def _everything(self) -> Export:
        index = self.maker.inspection.index
        answers = query(index, index.all_keys, self.maker.read_sidecar)
        return self._plan(match for answer in answers for match in answer.matches)

    def _markdown(self) -> Text:
        inspection = self.maker.inspection
        body = context_markdown(inspection.plan, inspection.branch.session.title)
        return Text("what the model is sent, as Markdown", "context", "md", body)

    def _json(self) -> Text:
        messages = list(context_objects(self.maker.inspection.plan, View.PRUNED))
        body = json_text(messages, indent=2) + "\n"
        return Text("what the model is sent, as JSON", "context", "json", body)

    def _plan(self, matches: Iterable[Match], texts: Iterable[Text] = ()) -> Export:
        inspection = self.maker.inspection
        redactor = Redactor() if self.is_masked else None
        return plan_export(matches, inspection.index, inspection.path, texts, redactor)


def _first(found: Iterable[_T | None]) -> _T | None:
    return next((item for item in found if item is not None), None)


def export_sentence(export: Export, folder: PurePath) -> str:
    """What was written, and what could not be."""
    parts = [
        counted(export.count, "output") if export.count or not export.text_count else "",
        counted(export.text_count, "text") if export.text_count else "",
    ]
    written = ", ".join(part for part in parts if part)
    sentence = f"{written} and {MANIFEST_NAME} written to {folder}"
    if export.previews:
        sentence += f"; of {counted(export.previews, 'output')} only the preview"
    if export.missing:
        sentence += f"; {counted(export.missing, 'output')} cannot be had, see {MANIFEST_NAME}"
    if export.masked:
        sentence += f"; {masked_words(export.masked)}"
    return sentence


def file_row(name: str, size: int, is_there: bool | None) -> Line:
    """A file that would be written: a sign and a word tell what becomes of one of that name.

    Where nothing can be written there is neither; `size` is in bytes.
    """
    return line(_FILE_FATES[is_there], name, dim(f"  {compact_count(size)} bytes"))

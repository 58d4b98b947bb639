"""The text of a block: what stands in the context in place of a compressed chain.

(Source: the pruning rules, section 3, phase 3.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.records import ChainEntry
from condense_tui.pruning.slots import RenderError
from condense_tui.session.jsontext import with_halves_joined
from condense_tui.session.messages import Message

_BLOCK_REF = re.compile(r"\{(b[0-9]+)\}")
_OPENING_TAG = re.compile(r'<compressed-chain id="([^"]+)"')


def substitute_block_refs(
    text: str, body_of: Callable[[str], str | None], own_block: str | None
) -> str:
    """Replace each `{bN}` by block N's body: one level, never its own, unknown ones stay."""

    def replacement(found: re.Match[str]) -> str:
        block = found[1]
        body = None if block == own_block else body_of(block)
        return found[0] if body is None else body

    substituted, count = _BLOCK_REF.subn(replacement, text)
    return with_halves_joined(substituted) if count else text


def own_body(chain: ChainEntry, index: PruneIndex) -> str:
    """The chain's range summary, or the texts of the summaries that cover its calls."""
    if chain.range_summary is not None:
        return chain.range_summary
    if chain.covered_keys is None:
        raise RenderError(f"block {chain.block_id} has neither a body nor calls to look one up")
    return "\n\n".join(index.summary_texts(chain.covered_keys))


class BlockTexts:
    """The texts of one index's blocks; a body that many refer to is looked up once."""

    def __init__(self, index: PruneIndex) -> None:
        self._index = index
        self._referenced: dict[str, str | None] = {}

    def text(self, chain: ChainEntry, relocated: Iterable[Message]) -> str:
        """The whole synthetic text; `relocated` are the protected results that it keeps."""
        body = own_body(chain, self._index)
        body = substitute_block_refs(body, self._referenced_body, chain.block_id)
        if chain.tool_refs is None:
            raise RenderError(f"block {chain.block_id} has no list of tool refs")
        body += "".join(_protected_output(result) for result in relocated)
        refs = ",".join(chain.tool_refs)
        opening = f'<compressed-chain id="{chain.block_id}" tools="{refs}">'
        return f"{opening}\n{body}\n</compressed-chain>"

    def _referenced_body(self, block: str) -> str | None:
        if block not in self._referenced:
            other = self._index.chain_of_block.get(block)
            self._referenced[block] = (own_body(other, self._index) or None) if other else None
        return self._referenced[block]


def _protected_output(result: Message) -> str:
    opening = f'<protected-output tool="{result.tool_name}">'
    return f"\n\n{opening}\n{result.text}\n</protected-output>"


def block_in(message: Message) -> str | None:
    """The block whose opening tag begins this user message's first part, if one does."""
    if not message.outline.opens_block:
        return None
    content = message.body.get("content")
    first = content[0] if isinstance(content, list) and content else None
    if not isinstance(first, dict) or first.get("type") != "text":
        return None
    text = first.get("text")
    found = _OPENING_TAG.match(text) if isinstance(text, str) else None
    return found[1] if found else None

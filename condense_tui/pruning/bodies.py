"""The text of a block: what stands in the context in place of a compressed chain.

(Source: the pruning rules, section 3, phase 3.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.records import ChainEntry
from condense_tui.pruning.slots import RenderError
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

    return _BLOCK_REF.sub(replacement, text)


def own_body(chain: ChainEntry, index: PruneIndex) -> str:
    """The chain's range summary, or the texts of the summaries that cover its calls."""
    if chain.range_summary is not None:
        return chain.range_summary
    if chain.covered_keys is None:
        raise RenderError(f"block {chain.block_id} has neither a body nor calls to look one up")
    return "\n\n".join(index.summary_texts(chain.covered_keys))


def block_text(chain: ChainEntry, index: PruneIndex, relocated: Iterable[Message]) -> str:
    """The whole synthetic text; `relocated` are the protected results that it keeps."""

    def body_of(block: str) -> str | None:
        other = index.chain_of_block.get(block)
        return (own_body(other, index) or None) if other else None

    body = substitute_block_refs(own_body(chain, index), body_of, chain.block_id)
    if chain.tool_refs is None:
        raise RenderError(f"block {chain.block_id} has no list of tool refs")
    body += "".join(_protected_output(result) for result in relocated)
    refs = ",".join(chain.tool_refs)
    opening = f'<compressed-chain id="{chain.block_id}" tools="{refs}">'
    return f"{opening}\n{body}\n</compressed-chain>"


def _protected_output(result: Message) -> str:
    opening = f'<protected-output tool="{result.tool_name}">'
    return f"\n\n{opening}\n{result.text}\n</protected-output>"


def block_in(message: Message) -> str | None:
    """The block whose opening tag begins this user message's first part, if one does."""
    content = message.body.get("content")
    first = content[0] if isinstance(content, list) and content else None
    if message.role != "user" or not isinstance(first, dict) or first.get("type") != "text":
        return None
    text = first.get("text")
    found = _OPENING_TAG.match(text) if isinstance(text, str) else None
    return found[1] if found else None

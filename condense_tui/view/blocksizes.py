"""What each block takes the place of, and what stands there, in characters: one measure for all."""

from __future__ import annotations

from collections.abc import Mapping

from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import FateKind

BlockSizes = Mapping[str, tuple[int, int]]


def block_sizes(plan: RenderPlan) -> BlockSizes:
    """By block id: all messages that it drops, and its own."""
    sizes: dict[str, tuple[int, int]] = {}
    for number, slot, fate in plan.fates_of(FateKind.DROPPED, FateKind.INSERTED):
        if fate.block and fate is slot.fates[-1]:
            before, after = plan.slot_chars[number]
            so_far = sizes.get(fate.block, (0, 0))
            sizes[fate.block] = (so_far[0] + before, so_far[1] + after)
    return sizes

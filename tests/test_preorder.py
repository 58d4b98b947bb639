from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from condense_tui.view.lines import line
from condense_tui.view.preorder import Preorder
from condense_tui.view.treerows import PlainNode, TreeNode


def node(children: tuple[TreeNode, ...], size: int) -> TreeNode:
    return PlainNode("", size=size, children=children, spans=line("node"))


leaves = st.builds(node, st.just(()), st.integers(0, 9))
trees = st.lists(
    st.recursive(leaves, lambda n: st.builds(node, st.lists(n, max_size=3).map(tuple), st.just(3)))
)


def keyed(nodes: Sequence[TreeNode], above: str = "") -> tuple[TreeNode, ...]:
    """Each with its own key: the numbers on the way to it."""
    return tuple(
        PlainNode(
            f"{above}.{n}",
            size=each.size,
            children=keyed(each.children, f"{above}.{n}"),
            spans=each.line,
        )
        for n, each in enumerate(nodes)
    )


def walked(
    nodes: Sequence[TreeNode], unfolded: Collection[str] | None, by_size: bool
) -> Iterator[str]:
    """The keys in sight; all of them without `unfolded`."""
    for each in sorted(nodes, key=lambda n: n.size, reverse=True) if by_size else nodes:
        yield each.key
        if unfolded is None or each.key in unfolded:
            yield from walked(each.children, unfolded, by_size)


@given(trees, st.booleans(), st.data())
def test_in_sight_is_what_a_walk_meets(
    found: list[TreeNode], by_size: bool, data: st.DataObject
) -> None:
    roots = keyed(found)
    order = Preorder(roots, (lambda each: each.size) if by_size else None)
    keys = [each.key for each in order.nodes]
    assert keys == list(walked(roots, None, by_size))
    unfolded = data.draw(st.sets(st.sampled_from(keys))) if keys else set()
    seen = order.in_sight(unfolded, 0, len(keys))
    assert [keys[place] for place in seen] == list(walked(roots, unfolded, by_size))
    for place, key in enumerate(keys):
        assert order.place_of(key) == place
        assert order.depth(place) == key.count(".") - 1
        parent = order.parent(place)
        assert ("" if parent is None else keys[parent]) == key.rpartition(".")[0]
        below = [other for other in keys if other.startswith(f"{key}.")]
        assert keys[place + 1 : order.end(place)] == below

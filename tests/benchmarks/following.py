"""Something is added to a large session that is followed: the work until it can be shown.

    python -m tests.benchmarks.following [MEGABYTES]

A step looks at the file, reads what was added and takes the picture that the screens show; what
is measured is its CPU time, at its longest.  The look that watches the file comes on top.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from condense_tui.pruning.settings import settings_from
from condense_tui.session.entries import Refusal
from condense_tui.tui.follower import Follower
from condense_tui.tui.picture import Picture, read_picture
from tests.benchmarks.reading import cpu_ms
from tests.benchmarks.report import Figure, print_figures
from tests.benchmarks.sessionfiles import write_session

_TARGET_MS = 250
_TURNS = 3
_LATE = 1_799_000_000_000


class Writer:
    """Adds to a session as pi does, and has each addition followed."""

    def __init__(self, path: Path, picture: Picture) -> None:
        self._path = path
        self._picture = picture
        assert picture.file is not None
        self._follower = Follower(picture, picture.file)
        self._follower.step(picture)
        self._parent = picture.inspection.branch.leaf_id
        self._count = 0

    def add(self, kind: str, **fields: object) -> float:
        """Write an entry; milliseconds until its picture is there."""
        self._count += 1
        entry_id = f"new{self._count}"
        body = {"type": kind, "id": entry_id, "parentId": self._parent, "timestamp": "", **fields}
        with open(self._path, "ab") as file:
            file.write(orjson.dumps(body) + b"\n")
        self._parent = entry_id
        return cpu_ms(self._step)

    def say(self, role: str, content: object, **fields: object) -> float:
        """The same of a message."""
        time = _LATE + self._count
        message = {"role": role, "content": content, "timestamp": time, **fields}
        return self.add("message", message=message)

    def _step(self) -> None:
        step = self._follower.step(self._picture)
        assert step is not None
        assert step.picture is not None
        self._picture = step.picture


def figures(path: Path) -> list[Figure]:
    """The longest step of each kind."""
    picture = read_picture(path, None, settings_from(None))
    assert not isinstance(picture, Refusal)
    writer = Writer(path, picture)
    told: dict[str, list[float]] = {"a prompt": [], "a reply": [], "a result": []}
    for number in range(_TURNS):
        call = {"type": "toolCall", "id": f"c{number}", "name": "bash", "arguments": {}}
        said = [{"type": "text", "text": "words " * 500}]
        told["a prompt"].append(writer.say("user", "go on"))
        told["a reply"].append(writer.say("assistant", [call]))
        result = {"toolCallId": call["id"], "toolName": "bash", "isError": False}
        told["a result"].append(writer.say("toolResult", said, **result))
    found = [Figure(f"{what} is added", max(ms), _TARGET_MS) for what, ms in told.items()]
    record = writer.add("custom", customType="context-prune-index", data={"toolCalls": []})
    return [*found, Figure("a record of the extension is added", record, _TARGET_MS)]


def main() -> int:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory() as folder:
        path = write_session(Path(folder), megabytes)
        found = figures(path)
    gc.enable()
    return print_figures(f"Following {megabytes:g} MB", found)


if __name__ == "__main__":
    sys.exit(main())

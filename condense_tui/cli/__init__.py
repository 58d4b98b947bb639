"""The command line: a text and a JSON front end on the core."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

_INTERRUPTED = 130


def main(tokens: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code: 0, 1 for not found, 2 for no answer.

    Its parts are loaded here, where Ctrl-C is already no accident; until then nothing that is
    made lies in a cycle, and to look for some would take a sixth of the time.
    """
    gc.disable()
    try:
        code = _run(sys.argv[1:] if tokens is None else tokens)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(code)


def _run(tokens: Sequence[str]) -> int:
    from condense_tui.cli.plainly import run_plainly

    code = run_plainly(tokens)
    if code is not None:
        return code
    from condense_tui.cli.run import run

    gc.enable()
    return run(tokens)

"""A large session opens: keys while it is read, how long it takes, and the memory that it fills.

    python -m tests.benchmarks.opening [MEGABYTES]

Memory is what the system says that the process has in use, and the most it ever had (Linux).
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.report import Figure, p95, print_figures
from tests.benchmarks.sessionfiles import write_session
from tests.benchmarks.terminal import DOWN, UP, python, timed

_KEY_MS, _MEMORY_MB = 50, 200
_KEYS = 40
_BEFORE, _AFTER = "so far", "prune:"
_PAGE_MB = resource.getpagesize() / 1_000_000


def resident_mb(process_id: int) -> float:
    """How much memory a process has in use."""
    pages = Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE_MB


def figures(path: Path, home: Path) -> tuple[list[Figure], float]:
    """Milliseconds; and the megabytes in use when all is read."""
    with timed(python("-m", "condense_tui", str(path)), home) as program:
        first = program.until_shown(_BEFORE)
        begin = time.perf_counter()
        presses = [program.key((UP, DOWN)[number % 2]).frame_ms for number in range(_KEYS)]
        pressing = (time.perf_counter() - begin) * 1000
        whole = program.until_shown(_AFTER)
        program.until_quiet()
        memory = resident_mb(program.process.pid)
    found = [
        Figure("first rows", first),
        Figure(f"a key while it is read, p95 of {_KEYS}", p95(presses), _KEY_MS),
        Figure("these keys together", pressing),
        Figure("everything is there", whole),
    ]
    return found, memory


def main() -> int:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 400
    with TemporaryDirectory() as folder:
        path = write_session(Path(folder), megabytes)
        found, memory = figures(path, Path(folder))
    code = print_figures(f"Opening {megabytes:g} MB in the browser", found)
    verdict = "reached" if memory <= _MEMORY_MB else "MISSED"
    print(f"memory in use: {memory:.0f} MB, at most {_MEMORY_MB}  {verdict}")
    return code or int(memory > _MEMORY_MB)


if __name__ == "__main__":
    sys.exit(main())

"""The same judge, led by the coverage of the code, where `atheris` is installed.

    pip install atheris && python -m tests.fuzz.target -max_total_time=300 CORPUS

Atheris mutates what is in the folder CORPUS, which `--write CORPUS` fills with small cases.
"""

from __future__ import annotations

import sys
from pathlib import Path

_CASES = 300
_DIVIDER = b"\n\0\n"


def write_corpus(folder: Path) -> None:
    """Small cases as single files: session, divider, settings."""
    from tests.fuzz.cases import make_case
    from tests.fuzz.material import material

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(_CASES):
        case = make_case(1, number, material(is_shared=False))
        (folder / str(number)).write_bytes(case.raw + _DIVIDER + case.settings)


def main() -> int:
    """Fuzz until stopped; the exit code."""
    if "--write" in sys.argv:
        write_corpus(Path(sys.argv[-1]))
        return 0
    try:
        import atheris  # type: ignore[import-not-found]
    except ImportError:
        print("atheris is not installed")
        return 0
    # Only what is first imported here is followed.
    with atheris.instrument_imports(include=["condense_tui"]):
        from tests.fuzz.judge import judge
        from tests.fuzz.run import case_folder
    with case_folder() as folder:

        def one(given: bytes) -> None:
            raw, _, settings = given.partition(_DIVIDER)
            judge(raw, settings, folder)

        atheris.Setup(sys.argv, one)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A text in the person's own pager or editor: a temporary copy, never the session.

The copy is readable by nobody else and is gone when the program ends.  A pager may be told to
pass control characters on, so it gets the text with these made visible; an editor gets it as
it is.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported
from textual.screen import Screen

from condense_tui.inspection.stems import safe_stem
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.compact import Value
from condense_tui.tui.clipboard import whole_of
from condense_tui.tui.signals import EndingError, ended_by_signals, leave_at_once
from condense_tui.view.document import Document
from condense_tui.view.printable import printable


class Program(Value, frozen=True):
    """A kind of program: the variables that name it, what it is otherwise, and what it is given."""

    word: str
    variables: tuple[str, ...]
    otherwise: tuple[str, ...]
    prepared: Callable[[str], str]


_SECONDS_TO_END = 3

# Whatever $LESS says, less must wait for the person to leave it.
PAGER = Program("pager", ("PAGER",), ("less -+F", "more"), printable)
EDITOR = Program("editor", ("VISUAL", "EDITOR"), ("vi", "nano", "notepad"), str)


def open_document(
    screen: Screen[Any], document: Document, program: Program, is_wanted: Callable[[], bool]
) -> None:
    """Show a document's original, which may have to be read first, and say what failed.

    Nothing is shown where meanwhile nobody wants it any more.
    """

    async def work() -> None:
        whole = await whole_of(document)
        if screen.is_active and is_wanted():
            failed = open_outside(screen.app, whole.original, whole.title, program)
            if failed:
                screen.notify(failed, markup=False)

    screen.run_worker(work(), exclusive=True, group="outside")


def open_outside(app: App[Any], text: str, name: str, program: Program = PAGER) -> str | None:
    """Show a text until the person comes back; the reason, in words, where that failed.

    `name` becomes the name of the copy, so that a title bar says something.
    """
    try:
        command = _command(program)
    except ValueError as error:
        return str(error)
    try:
        with _copy(program.prepared(text), name) as path, app.suspend(), _ignoring_interrupts():
            return _run([*command, str(path)])
    except EndingError as ended:
        leave_at_once(ended)
    except SuspendNotSupported:
        return "no other program can take over this terminal"
    except OSError as error:
        return f"no temporary copy: {(error.strerror or type(error).__name__).lower()}"


def _run(command: list[str]) -> str | None:
    """Raises `EndingError` alone; what leaves `suspend` so leaves the terminal given away."""
    has_terminal = _has_terminal()
    try:
        with ended_by_signals():
            code = _code_of(subprocess.Popen(command))  # noqa: S603 - no shell
            if has_terminal and not _has_terminal():
                raise EndingError(signal.SIGHUP)
    except (OSError, ValueError) as error:
        return f"{command[0]}: {getattr(error, 'strerror', None) or error}"
    return f"{command[0]} ended with code {code}" if code else None


def _code_of(program: subprocess.Popen[bytes]) -> int:
    """The exit code once it has ended; raises `EndingError` where that is not waited for any more.

    What we are sent it is sent too, and given the time to save what was typed.
    """
    try:
        return program.wait()
    except EndingError as ended:
        program.send_signal(ended.signal)
        with suppress(subprocess.TimeoutExpired):
            program.wait(_SECONDS_TO_END)
        raise


def _has_terminal() -> bool:
    """Whether there is one; it may go, and the other program with it, before we are told."""
    return sys.__stdin__ is not None and os.isatty(sys.__stdin__.fileno())


def _command(program: Program) -> list[str]:
    """The command as words, its program found; raises ValueError with a reason for people."""
    for variable in program.variables:
        if line := os.environ.get(variable, "").strip():
            return _words(line, f"${variable}")
    found = (line for line in program.otherwise if shutil.which(line.split()[0]))
    line = next(found, "")
    if not line:
        raise ValueError(f"no {program.word} found: set ${program.variables[-1]}")
    return _words(line, program.word)


def _words(line: str, where: str) -> list[str]:
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise ValueError(f"{where} cannot be read: {error}".lower()) from None
    path = shutil.which(words[0]) if words else None
    if path is None:
        raise ValueError(f"{where} names {words[0] if words else 'nothing'}, which is not found")
    return [path, *words[1:]]


@contextmanager
def _copy(text: str, name: str) -> Iterator[Path]:
    """The text in a file of its own folder, which goes away with all that an editor leaves."""
    with tempfile.TemporaryDirectory(prefix="condense-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"{safe_stem(name)}.txt"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(utf8_bytes(text))
        yield path


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Ctrl-C is meant for the other program; a handler, unlike "ignore", is not inherited."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

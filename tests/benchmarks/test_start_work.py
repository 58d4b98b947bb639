"""What is loaded and made before there is something to see: counted and not timed.

Each in a fresh interpreter; a test process has long loaded everything.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import condense_tui.demo

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
MAX_WIDGETS = 26
MAX_MODULES = 155
# Rooms of which nothing is needed to show a session that was pruned.
OTHER_ROOMS = {"condensing", "repairing", "models", "copies", "store_answers", "store_copies"}

_ANSWER = """
import sys
from condense_tui.cli import main

try:
    main(sys.argv[1:])
except SystemExit as stop:
    print(stop.code, *sys.modules, file=sys.stderr)
"""
_BROWSE = """
import asyncio, json, sys
from pathlib import Path
from textual.widget import Widget
from condense_tui.tui import app as browser
from condense_tui.tui.screens.loading import LoadingScreen
from condense_tui.tui.screens.session import SessionScreen

made, composed = [], []

def counted(kind, seen, method):
    before = getattr(kind, method)
    def count(self, *args, **options):
        seen.append(type(self).__name__)
        return before(self, *args, **options)
    setattr(kind, method, count)

async def main():
    counted(Widget, made, "__init__")
    # Not even on a slow machine while this looks.
    browser._SECONDS_UNTIL_IDLE = 1000
    app = browser.CondenseApp(Path(sys.argv[1]))
    async with app.run_test(size=(120, 40)) as pilot:
        while type(app.screen) is not SessionScreen:
            if type(app.screen) is LoadingScreen:
                composed.extend(type(each).__name__ for each in app.screen.children)
            await pilot.pause(0)
        await pilot.pause(0)
        print(json.dumps([list(sys.modules), made, composed]))

asyncio.run(main())
"""


def run_fresh(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The script in an interpreter of its own."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


@cache
def browsed() -> list[Any]:
    """The modules that are loaded when a session is first shown, the widgets that were made by
    then, and those that were composed to be seen while it was read."""
    found: list[Any] = json.loads(run_fresh(_BROWSE, DEMO).stdout)
    return found


def rooms_of(modules: list[str]) -> set[str]:
    """The rooms of ours that these modules lie in."""
    return {name.split(".")[1] for name in modules if name.startswith("condense_tui.")}


def test_json_is_answered_without_front_end_and_library_of_options() -> None:
    done = run_fresh(_ANSWER, "inspect", DEMO, "--format", "json")
    code, *modules = done.stderr.split()
    assert code == "0"
    assert json.loads(done.stdout)["session"]
    loaded = {name.split(".")[0] for name in modules}
    unwanted = {"textual", "rich", "cyclopts", "attrs", "asyncio", "watchfiles", "platformdirs"}
    assert loaded & unwanted == set()
    assert rooms_of(modules) & {"tui", "preferences", *OTHER_ROOMS} == set()


def test_other_rooms_are_not_loaded_before_a_session_is_seen() -> None:
    modules = browsed()[0]
    assert rooms_of(modules) & OTHER_ROOMS == set()
    assert {"openai", "watchfiles", "cyclopts", "rich.markdown", "pygments"} & {*modules} == set()
    assert "condense_tui.inspection.redaction" not in modules


def test_screens_are_not_loaded_before_they_are_seen() -> None:
    package = "condense_tui.tui.screens."
    screens = {name.removeprefix(package) for name in browsed()[0] if name.startswith(package)}
    assert screens == {"loading", "others", "session"}


def test_modules_before_a_session_is_seen_are_few() -> None:
    assert sum(name.startswith("condense_tui") for name in browsed()[0]) <= MAX_MODULES


def test_widgets_before_a_session_is_seen_are_few() -> None:
    assert len(browsed()[1]) <= MAX_WIDGETS, browsed()[1]


def test_nothing_is_composed_for_what_is_read_at_once() -> None:
    assert browsed()[2] == []

"""What the system asks to end ends, even where it cannot end in order."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

STUBBORN = """
import os
from textual.app import App
from condense_tui.tui import signals

class Stubborn(App):
    def on_mount(self):
        signals.leave_on_signals(self)
        os.write(2, b"ready\\n")

    def exit(self, *_given, **_named):
        pass

signals._SECONDS_TO_LEAVE = 0.2
Stubborn().run(headless=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_browser_that_cannot_leave_in_order_leaves_all_the_same(number: signal.Signals) -> None:
    command = [sys.executable, "-c", STUBBORN]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait(30) == 128 + number

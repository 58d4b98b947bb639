"""Whose session it is, and where it says that it lies."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

SESSION_ID = "01a0af72-15c3-7c3e-9d41-5b0f2a86e9c7"
BLOBS = f"{SESSION_ID}-blobs"
HOME = "/home/mara"
CWD = f"{HOME}/shop"
BLOBS_AT_HOME = f"{HOME}/.pi/agent/sessions/--home-mara-shop--/{BLOBS}"
START_MS = 1_789_649_884_611  # 2026-09-17 12:58:04 UTC
SYSTEM_TOKENS = 5_940  # of the system prompt and the tools

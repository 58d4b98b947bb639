"""The settings as people know them: how each is read and changed, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from condense_tui.inspection.settingsdraft import SettingPath, SettingsDraft
from condense_tui.pruning.settings import DEFAULTS
from condense_tui.session.compact import Value


class Kind(StrEnum):
    """How a setting is read and changed; a fixed one is only shown."""

    SWITCH = "switch"
    CHOICE = "choice"
    COUNT = "count"
    TEXTS = "texts"
    PART = "part"
    FIXED = "fixed"


class Setting(Value, frozen=True):
    """One setting of `contextPrune`, or a part that holds some.

    A choice is one of the `choices`; a count goes up and down by the `step`, and not below `least`.
    """

    path: SettingPath
    kind: Kind
    explanation: str
    choices: tuple[str, ...] = ()
    step: int = 1
    least: int = 0

    @property
    def label(self) -> str:
        """Its name as the file has it, set in under its part."""
        return "  " * (len(self.path) - 1) + self.path[-1]


CHAIN, PURGE = "chainCompression", "purgeErrors"
_MERGING = "Given in part, it replaces the whole default: what it lacks is missing."
_AT_CONDENSING = "Used at condensing: a preview depends on it, the context shown here does not."
_WITH_A_MODEL = "Used where a model writes a copy: nothing shown here depends on it."
_IN_PI = "Used by pi alone: nothing shown here depends on it."
_UNKNOWN = "The extension knows no such setting: it does nothing."

# What changes the plan, or what waits to be condensed.
_OF_THE_CONTEXT: tuple[Setting, ...] = (
    Setting(
        ("enabled",), Kind.SWITCH, "The master switch: off, the model is sent everything as it is."
    ),
    Setting(
        ("recoveryGraceTurns",),
        Kind.COUNT,
        "How many user messages long a recovered output stays whole before it is stubbed; "
        "0: not at all.",
    ),
    Setting(
        ("protectedTools",),
        Kind.TEXTS,
        "The outputs of these tools are kept whole.",
    ),
    Setting(
        ("protectedPaths",),
        Kind.TEXTS,
        "Outputs of calls on these paths are kept whole; ** crosses folders, * and ? do not.",
    ),
    Setting((CHAIN,), Kind.PART, f"Finished chains of turns become one block each. {_MERGING}"),
    Setting(
        (CHAIN, "enabled"),
        Kind.SWITCH,
        "Put the blocks in place of their chains; off, the chains stay.",
    ),
    Setting(
        (CHAIN, "rollingWindow"),
        Kind.COUNT,
        "How many of the newest chains are left alone when chains are compressed.",
    ),
    Setting(
        (CHAIN, "stripFinalAssistantThinking"),
        Kind.SWITCH,
        "Take the thinking out of the answer that ends a compressed chain.",
    ),
    Setting(
        (CHAIN, "fuseRangeSummary"),
        Kind.SWITCH,
        f"Write one text for a whole chain. {_AT_CONDENSING}",
    ),
    Setting((PURGE,), Kind.PART, f"The arguments of failed calls are purged. {_MERGING}"),
    Setting(
        (PURGE, "enabled"),
        Kind.SWITCH,
        "Purge the long arguments of calls that failed.",
    ),
    Setting(
        (PURGE, "cooldownTurns"),
        Kind.COUNT,
        "How many turns a failed call keeps its arguments.",
    ),
    Setting(
        (PURGE, "minArgChars"),
        Kind.COUNT,
        "Arguments shorter than this are never purged.",
    ),
)
_OF_CONDENSING: tuple[Setting, ...] = (
    Setting(
        ("batchingMode",),
        Kind.CHOICE,
        f"One batch to summarise per turn, or per user message (agent-message). {_AT_CONDENSING}",
        choices=("turn", "agent-message"),
    ),
    Setting(
        ("minBatchChars",),
        Kind.COUNT,
        f"Batches smaller than this are not summarised. {_AT_CONDENSING}",
        step=100,
    ),
    Setting(
        ("dedupByContentHash",),
        Kind.SWITCH,
        f"An output equal to an earlier one is not summarised again. {_AT_CONDENSING}",
    ),
    Setting(
        ("spillThreshold",),
        Kind.COUNT,
        f"Single outputs of at least this many characters go to a file. {_AT_CONDENSING}",
        step=1024,
        least=1,
    ),
    Setting(
        ("spillPreviewBytes",),
        Kind.COUNT,
        f"How much of such an output is kept as its preview. {_AT_CONDENSING}",
        step=256,
    ),
    Setting(
        ("summarizerIdleTimeoutMs",),
        Kind.COUNT,
        f"How long the summarising model may be silent. {_WITH_A_MODEL}",
        step=1000,
    ),
    Setting(
        ("summarizerMaxTimeoutMs",),
        Kind.COUNT,
        f"How long one summary may take. {_WITH_A_MODEL}",
        step=1000,
    ),
)
_OF_PI: Mapping[str, str] = {
    "showPruneStatusLine": "Show the status line in pi.",
    "summarizerModel": "The model that writes the summaries.",
    "summarizerThinking": "How much that model thinks.",
    "pruneOn": "When the extension condenses by itself.",
    "quietOversizedSkips": "Say nothing when a batch is skipped.",
    "autoBudgetThreshold": "The share of the model's window at which it condenses; null: none.",
    "budgetTurnDelta": "The growth in one turn, as a share, at which it condenses; null: none.",
}
SETTINGS: tuple[Setting, ...] = (
    *_OF_THE_CONTEXT,
    *_OF_CONDENSING,
    *(Setting((key,), Kind.FIXED, f"{words} {_IN_PI}") for key, words in _OF_PI.items()),
)


def settings_of(draft: SettingsDraft) -> tuple[Setting, ...]:
    """The known settings, then what was found beyond them."""
    merged = draft.settings.merged
    unknown = (Setting((key,), Kind.FIXED, _UNKNOWN) for key in merged if key not in DEFAULTS)
    return (*SETTINGS, *unknown)

"""`SettingsDraft` → rows: every setting with its value, its default and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from condense_tui.inspection.settingsdraft import (
    MISSING,
    Origin,
    SettingsDraft,
    default_at,
)
from condense_tui.session.jsontext import as_number, json_text, number_text
from condense_tui.view.columns import cell
from condense_tui.view.lines import Line, Span, Tone, dim, line, strong
from condense_tui.view.printable import one_line
from condense_tui.view.settingtable import Kind, Setting
from condense_tui.view.words import counted

_MAX_DIGITS = 9
_ORIGIN_WORDS: Mapping[Origin, str] = {
    Origin.DEFAULT: "default",
    Origin.UNFIT: "default, what {source} gives has a wrong type or range",
    Origin.FOUND: "{source}",
    Origin.LACKING: "missing in {source}",
    Origin.CHANGED: "changed here",
}
_SHORT_ORIGIN_WORDS: Mapping[Origin, str] = {
    **_ORIGIN_WORDS,
    Origin.UNFIT: "unfit: default",
    Origin.LACKING: "missing",
}
_ORIGIN_TONES: Mapping[Origin, Tone] = {
    Origin.DEFAULT: Tone.DIM,
    Origin.UNFIT: Tone.WARNING,
    Origin.FOUND: Tone.PLAIN,
    Origin.LACKING: Tone.WARNING,
    Origin.CHANGED: Tone.ACCENT,
}


def value_text(setting: Setting, value: Any) -> str:
    """A value as people read it."""
    if value is MISSING:
        return "missing"
    match setting.kind:
        case Kind.SWITCH:
            return "on" if value else "off"
        case Kind.COUNT:
            number = as_number(value)
            return "no number" if number is None else number_text(number)
        case Kind.TEXTS:
            return editable_text(setting, value) or "none"
        case Kind.CHOICE:
            return str(value)
        case Kind.PART:
            return ""
        case Kind.FIXED:
            return json_text(value)


def editable_text(setting: Setting, value: Any) -> str:
    """What stands in the field when the value is edited; `typed_value` reads it back."""
    if setting.kind is Kind.TEXTS:
        is_plain = all(_is_plain(item) for item in value)
        return ", ".join(value) if is_plain else _escaped_json(value)
    return "" if as_number(value) is None else value_text(setting, value)


def _escaped_json(value: Any) -> str:
    """JSON with everything escaped that a terminal must not get."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def _is_plain(item: str) -> bool:
    is_whole = bool(item) and item == item.strip() == one_line(item)
    return is_whole and "," not in item and item[0] != "["


def typed_value(setting: Setting, text: str) -> Any:
    """The value that was typed; raises ValueError with a reason for people."""
    text = text.strip()
    if setting.kind is Kind.COUNT:
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ValueError(_count_form(setting))
        if int(text) < setting.least:
            raise ValueError(_count_form(setting))
        return int(text)
    if text.startswith("["):
        return _texts(text)
    return [item for piece in text.split(",") if (item := piece.strip())]


def _count_form(setting: Setting) -> str:
    return f"a whole number, {setting.least} or more, with {_MAX_DIGITS} digits at most"


def next_choice(setting: Setting, value: Any, step: int) -> str:
    """The choice that comes after this value, or before it; round at the ends."""
    choices = setting.choices
    return choices[(choices.index(value) + step) % len(choices)]


def _texts(text: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('names with commas between them, or ["a JSON", "list of them"]')
    return value


def column_widths(width: int) -> tuple[int, int, int]:
    """Of the name, the value and the default, in a list this wide."""
    return (31, 18, 18) if width >= 92 else (30, 12, 10)


def heading_row(width: int) -> Line:
    """What stands over the columns."""
    name, value, default = column_widths(width)
    return line(dim(f"  {'setting':<{name}}{'value':<{value}}{'default':<{default}}from"))


def setting_row(setting: Setting, draft: SettingsDraft, source: str, width: int) -> Line:
    """One setting on one line."""
    widths = column_widths(width)
    if setting.kind is Kind.PART:
        return _part_row(setting, draft, widths[0])
    value, origin = draft.value(setting.path), draft.origin(setting.path)
    default = default_at(setting.path)
    default_text = "" if default is MISSING else value_text(setting, default)
    return line(
        Span("* " if origin is Origin.CHANGED else "  ", Tone.ACCENT),
        f"{cell(setting.label, widths[0] - 1)} ",
        Span(f"{cell(value_text(setting, value), widths[1] - 1)} ", _value_tone(setting, origin)),
        dim(f"{cell(default_text, widths[2] - 1)} "),
        Span(_SHORT_ORIGIN_WORDS[origin].format(source=source), _ORIGIN_TONES[origin]),
        dim(" · no effect") if _is_idle(setting, draft) else "",
    )


def _is_idle(setting: Setting, draft: SettingsDraft) -> bool:
    """Whether the part that it belongs to is switched off."""
    switch = (setting.path[0], "enabled")
    is_below = len(setting.path) > 1 and setting.path != switch
    value = draft.value(switch) if is_below else True
    return value is MISSING or not value


def _value_tone(setting: Setting, origin: Origin) -> Tone:
    if setting.kind is Kind.FIXED:
        return Tone.DIM
    return Tone.PLAIN if origin is Origin.DEFAULT else _ORIGIN_TONES[origin]


def _part_row(setting: Setting, draft: SettingsDraft, width: int) -> Line:
    lacking = draft.lacking(setting.path[0])
    note = Span(f"partial: {counted(len(lacking), 'value')} missing", Tone.WARNING)
    return line("  ", strong(f"{setting.label:<{width}}"), note if lacking else "")


def origin_line(setting: Setting, draft: SettingsDraft, source: str) -> str:
    """The value and its default whole, and where the value comes from."""
    if setting.kind is Kind.PART:
        return ""
    default = default_at(setting.path)
    parts = [
        f"{'.'.join(setting.path)}: {value_text(setting, draft.value(setting.path))}",
        "" if default is MISSING else f"default: {value_text(setting, default)}",
        f"from: {_ORIGIN_WORDS[draft.origin(setting.path)].format(source=source)}",
        f"no effect while {setting.path[0]}.enabled is off" if _is_idle(setting, draft) else "",
    ]
    return " · ".join(part for part in parts if part)


def trap_text(setting: Setting, draft: SettingsDraft) -> str:
    """What a partial part brings about, for the part and what it lacks; else empty."""
    part = setting.path[0]
    remarks = (item for item in draft.settings.remarks if item.is_partial and item.key == part)
    remark = next(remarks, None)
    if remark is None:
        return ""
    if setting.kind is Kind.PART:
        return f"{part} {remark.text}. d gives all of it the defaults."
    is_missing = draft.value(setting.path) is MISSING
    return f"Missing: {part} {remark.text}." if is_missing else ""

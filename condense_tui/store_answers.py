"""What models answered, kept in the user's cache folder by what they were asked."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from condense_tui.models.prompts import Question
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import json_text
from condense_tui.store import read_bytes
from condense_tui.store_writing import replace_file

_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600


def answers_folder() -> Path:
    """Where they are kept."""
    return user_cache_path("condense-tui") / "answers"


class KeptAnswers(Value, frozen=True):
    """The answers of one model at one address; a folder that cannot be written keeps nothing."""

    folder: Path
    address: str
    model: str

    def find(self, question: Question) -> str | None:
        """The text that this was answered with before."""
        raw = read_bytes(self._path(question))
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else None

    def keep(self, question: Question, text: str) -> None:
        """Remember it, for this user alone: it tells what is in a session."""
        path = self._path(question)
        try:
            path.parent.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
            replace_file(path, [utf8_bytes(text)], _PRIVATE_FILE)
        except OSError:
            return

    def _path(self, question: Question) -> Path:
        asked = [self.address, self.model, question.system, question.text]
        digest = sha256(utf8_bytes(json_text(asked))).hexdigest()
        return self.folder / f"{digest}.txt"

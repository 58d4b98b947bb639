"""`Follower`: what a file that changes makes of the picture that is shown, step by step.

A step takes time and belongs in a thread; there is never more than one.  What happens meanwhile
is one later step.
"""

from __future__ import annotations

from collections.abc import Mapping

from condense_tui.session.branch import carried_on
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.store_open import SessionFile
from condense_tui.store_watch import FileWatch, Look
from condense_tui.tui.picture import Picture, further_picture

FOLLOWING = "following"
_ELSEWHERE = "following, newer on another branch"
_GOES_ON_ELSEWHERE = "the session goes on on another branch: b shows it"
_TORN = "what came has a parent that is not in the file: pi begins anew there; b shows the rest"
_GONE = "the file is gone; what was read of it stays here, and it is waited for"
_BACK = "the file is back"
_READ_AGAIN: Mapping[Look, str] = {
    Look.CUT_OFF: "the file was cut off and is read again",
    Look.REWRITTEN: "the file was rewritten and is read again",
    Look.REPLACED: "the file was replaced and is read again",
}


class Step(Value, frozen=True):
    """One picture further, or none where the one that is shown stays.

    `mark` says in what state the following is, `said` what is to be said once.
    """

    picture: Picture | None
    mark: str = FOLLOWING
    said: str = ""
    is_trouble: bool = False


class Follower:
    """Follows the file that a picture was read from; pictures are of the branch that is shown."""

    def __init__(self, picture: Picture, file: SessionFile) -> None:
        self._watch = FileWatch(picture.path, file)
        self._mark = FOLLOWING
        self._trouble = ""
        self._is_begun = False

    @property
    def size(self) -> int:
        """How many bytes of the file were read."""
        return self._watch.file.extent.length

    @property
    def standing(self) -> str:
        """What there is to say where a step leads nowhere."""
        return self._trouble or "nothing was added to the file"

    def catch_up(self) -> str:
        """Whoever looks at what pi would open is behind nothing; the mark that there is then."""
        if self._mark == _ELSEWHERE:
            self._mark = FOLLOWING
        return self._mark

    def step(self, shown: Picture, is_pinned: bool = False) -> Step | None:
        """What has become of the file since the last step; None where nothing has.

        The branch of a picture that `is_pinned` goes no further.
        """
        look = self._watch.look()
        if look is Look.GONE:
            return self._stayed("following, but the file is gone", _GONE, is_trouble=True)
        if look in _READ_AGAIN:
            return self._read_again(look, shown, is_pinned)
        if look is Look.GREW or not self._is_begun:
            self._is_begun = True
            session = self._watch.read_on()
            if isinstance(session, Refusal):
                return self._refused(session)
            if _is_new(session, shown):
                return self._shown_on(session, shown, is_pinned)
        is_back = look is not Look.STILL_REFUSED and self._mark not in (FOLLOWING, _ELSEWHERE)
        return self._stayed(FOLLOWING, _BACK) if is_back else None

    def _stayed(self, mark: str, said: str, is_trouble: bool = False) -> Step | None:
        """Said once, until there is something else to say."""
        if mark == self._mark:
            return None
        self._mark, self._trouble = mark, said if is_trouble else ""
        return Step(None, mark, said, is_trouble)

    def _refused(self, refusal: Refusal) -> Step | None:
        reason = f"the file cannot be read: {refusal.reason}"
        return self._stayed(f"following, but {reason}", reason, is_trouble=True)

    def _read_again(self, look: Look, shown: Picture, is_pinned: bool) -> Step | None:
        session = self._watch.open_anew()
        if isinstance(session, Refusal):
            return self._refused(session)
        step = self._shown_on(session, shown, is_pinned)
        said = (_READ_AGAIN[look], step.said)
        return Step(step.picture, step.mark, "; ".join(filter(None, said)), is_trouble=True)

    def _shown_on(self, session: Session, shown: Picture, is_pinned: bool) -> Step:
        """Whoever looks at a branch is told once that the session goes on on another one."""
        inspection = shown.inspection
        now = carried_on(inspection.branch, session, is_pinned)
        said = _GOES_ON_ELSEWHERE if now.is_elsewhere and self._mark != _ELSEWHERE else ""
        said = _TORN if now.is_torn else said
        self._mark, self._trouble = _ELSEWHERE if now.is_elsewhere else FOLLOWING, ""
        picture = further_picture(shown, now.branch, self._watch.file)
        return Step(picture, self._mark, said)


def _is_new(session: Session, shown: Picture) -> bool:
    before = shown.inspection.branch.session
    is_same = len(session.entries) == len(before.entries) and session.problems == before.problems
    return not is_same

"""Which summariser a person asks for, and the model that it stands for."""

from __future__ import annotations

import importlib.util
import math
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from condense_tui.condensing.outcomes import Questions, Report
from condense_tui.models.summariser import ModelSummariser, Tell
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.store_answers import KeptAnswers, answers_folder

if TYPE_CHECKING:
    from condense_tui.models.client import OpenAIModel, Prices

OFFLINE = "extract"
MODEL_PREFIX = "openai:"
MISSING = "a model needs an extra: pip install 'condense-tui[openai]'"
OPENAI = "OpenAI's own endpoint"
_UNKNOWN = f"a summarizer is {OFFLINE} or {MODEL_PREFIX}MODEL"
_PRICE_FORM = "a price is IN/OUT: dollars for a million tokens read and written, as 0.15/0.60"
_ADDRESS_FORM = "an endpoint is a URL, as http://localhost:8000/v1"
USUAL_JOBS, MOST_JOBS = 4, 64
_JOBS_FORM = f"questions at once are a number from 1 to {MOST_JOBS}"
_MS = 1000


class ModelOptions(Value, frozen=True):
    """What a person says about a summariser; `price` is dollars for a million tokens, IN/OUT."""

    name: str = OFFLINE
    base_url: str | None = None
    price: str | None = None
    jobs: int = USUAL_JOBS
    fuses: bool = False

    @property
    def is_offline(self) -> bool:
        """Whether nothing is sent anywhere."""
        return self.name == OFFLINE

    @property
    def refusal(self) -> Refusal | None:
        """Why there is no such summariser, or not here."""
        refusal = self.form_refusal
        if refusal or self.is_offline or is_extra_there():
            return refusal
        return Refusal(MISSING)

    @property
    def form_refusal(self) -> Refusal | None:
        """Why there can be no such summariser, wherever it is asked."""
        if self.is_offline:
            return None
        if not self.name.removeprefix(MODEL_PREFIX) or not self.name.startswith(MODEL_PREFIX):
            return Refusal(_UNKNOWN)
        if not self._is_address:
            return Refusal(_ADDRESS_FORM)
        if self._price_numbers is None:
            return Refusal(_PRICE_FORM)
        return None if 1 <= self.jobs <= MOST_JOBS else Refusal(_JOBS_FORM)

    @property
    def address(self) -> str | None:
        """The endpoint that is named, here or around; None for the client's own."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL") or None

    @property
    def _is_address(self) -> bool:
        try:
            found = urlsplit(self.address or "https://host")
            return found.scheme in ("http", "https") and bool(found.hostname) and found.port != 0
        except ValueError:
            return False

    @property
    def _price_numbers(self) -> tuple[float, float] | None:
        """None where it is not understood."""
        try:
            read, written = (float(price) for price in (self.price or "0/0").split("/"))
        except ValueError:
            return None
        is_sum = all(math.isfinite(price) and price >= 0 for price in (read, written))
        return (read, written) if is_sum else None

    def questions(self, report: Report) -> Questions:
        """What the model is asked where an offline run reports this."""
        asked, fusing = report.questions, report.fusions
        if not self.fuses:
            return asked
        return Questions(asked.count + fusing.count, asked.chars + fusing.chars)

    @property
    def read_price(self) -> float:
        """Dollars for a million tokens read; 0 where it is not said."""
        return (self._price_numbers or (0, 0))[0]

    @property
    def model(self) -> str:
        """What is asked; empty where nothing is."""
        return "" if self.is_offline else self.name.removeprefix(MODEL_PREFIX)

    @property
    def shown_address(self) -> str:
        """Where, to be shown: what may be secret in a URL is left out."""
        if self.address is None:
            return OPENAI
        found = urlsplit(self.address)
        return found._replace(
            netloc=found.netloc.rpartition("@")[2], query="", fragment=""
        ).geturl()

    @property
    def prices(self) -> Prices:
        """What tokens cost; nothing where it is not said."""
        from condense_tui.models.client import Prices

        return Prices(*(self._price_numbers or (0, 0)))


def is_extra_there() -> bool:
    """Whether models can be asked at all."""
    return importlib.util.find_spec("openai") is not None


def model_for(options: ModelOptions, settings: CondenseSettings) -> OpenAIModel:
    """The model that options without a refusal stand for; nothing is sent yet."""
    from condense_tui.models.client import Endpoint, OpenAIModel

    return OpenAIModel(
        Endpoint(
            model=options.model,
            base_url=options.address,
            api_key=os.environ.get("OPENAI_API_KEY") or None,
            idle_s=settings.merged["summarizerIdleTimeoutMs"] / _MS,
            total_s=settings.merged["summarizerMaxTimeoutMs"] / _MS,
            prices=options.prices,
        )
    )


def asking(model: OpenAIModel, options: ModelOptions, tell: Tell) -> ModelSummariser:
    """The summariser that asks this model, whose answers are kept."""
    answers = KeptAnswers(answers_folder(), model.address, options.name)
    return ModelSummariser(model, answers, tell, jobs=options.jobs, fuses=options.fuses)

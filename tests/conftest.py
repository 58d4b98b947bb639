"""What all tests share: nobody's own settings, and bounded searches for counter-examples."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None, max_examples=60)
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True, scope="session")
def _no_settings_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PI_CODING_AGENT_DIR", str(tmp_path_factory.mktemp("agent")))
        yield

"""Common credential shapes are masked, what only looks a little like one is not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.redaction import Redactor

# Put together here, so that no scanner takes this file for a leak.
SECRETS = {
    "ghp_" + "a1B2" * 9: "[masked: GitHub token]",
    "github_pat_" + "11ABC_" * 8: "[masked: GitHub token]",
    "glpat-" + "x" * 20: "[masked: GitLab token]",
    "xoxb-" + "1234567890-abcdef": "[masked: Slack token]",
    "AKIA" + "ABCDEFGH12345678": "[masked: AWS key id]",
    "sk-" + "ant-api03-" + "q" * 40: "[masked: API key]",
    "sk_" + "live_" + "q" * 24: "[masked: Stripe key]",
    "AIza" + "Sy" * 17: "[masked: Google key]",
    "eyJ" + "hbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM": "[masked: JSON web token]",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----": (
        "[masked: private key]"
    ),
    "postgres://shop:hunter2@db/shop": "postgres://shop:[masked: password in a URL]@db/shop",
    "Authorization: Bearer " + "abcdef0123456789": "Authorization: Bearer [masked: authorization]",
    "DB_PASSWORD=correcthorse": "DB_PASSWORD=[masked: secret]",
    '"api_key": "0123456789abcdef"': '"api_key": "[masked: secret]"',
    '\\"client_secret\\": \\"0123456789\\"': '\\"client_secret\\": \\"[masked: secret]\\"',
}
SECRETS |= {
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE=\n"
    "-----END RSA PRIVATE KEY-----": "[masked: private key]",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG": "[masked: private key]",
    "cat <<E\\nghp_" + "a1B2" * 9: "cat <<E\\n[masked: GitHub token]",
    "SECRET_KEY=abcdefghij": "SECRET_KEY=[masked: secret]",
    "password: hunter2hunter2": "password: [masked: secret]",
}
HARMLESS = [
    "author: alexander",
    "tokens = tokenizer_fast",
    "max_tokens=1000000000",
    "token: tokenizer_fast",
    "the password is asked for",
    "def token(self) -> str:",
    "password = os.environ['DB_PASSWORD']",
    "api_key = get_key()",
    "token: str",
    "https://example.org:8080/a@b",
    "task-list-of-many-words-and-more",
    "max_tokens = 4096",
    "AKIA is a prefix",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_is_masked(secret: str) -> None:
    redactor = Redactor()
    assert redactor.text(f"before {secret} after") == f"before {SECRETS[secret]} after"
    assert redactor.masked == 1


@pytest.mark.parametrize("text", HARMLESS)
def test_is_left_alone(text: str) -> None:
    redactor = Redactor()
    assert redactor.text(text) == text
    assert redactor.masked == 0


def test_a_value_stays_a_value() -> None:
    redactor = Redactor()
    value = {
        "password": "correct horse",
        "headers": [{"accessToken": 'abcdefgh\\"ij', "totalTokens": 12345678}],
        "authoredAt": 1766000001234,
        "command": "x\n" + "ghp_" + "a1B2" * 9,
        "credentials": ["abcd", 1.5, None, True, {}],
    }
    assert redactor.value(value) == {
        "password": "[masked: secret]",
        "headers": [{"accessToken": "[masked: secret]", "totalTokens": 12345678}],
        "authoredAt": 1766000001234,
        "command": "x\n[masked: GitHub token]",
        "credentials": ["[masked: secret]", 1.5, None, True, {}],
    }
    assert redactor.masked == 4


@given(st.text())
def test_what_is_masked_is_counted(text: str) -> None:
    redactor = Redactor()
    assert (redactor.text(text) == text) == (redactor.masked == 0)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----" * 20_000,
        "token" * 100_000,
        "a://" * 100_000,
        "eyJ-" * 100_000,
        "ghp_" * 100_000,
        "bearer " * 100_000,
        "x.y-" * 100_000,
    ],
    ids=lambda text: text[:20],
)
def test_no_text_makes_it_slow(text: str) -> None:
    """Generous: a square cost would take minutes."""
    started = time.process_time()
    Redactor().text(text)
    assert time.process_time() - started < 5


LEAVES = st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none()


@given(st.recursive(LEAVES, lambda inner: st.dictionaries(st.text(), inner), max_leaves=6))
def test_any_value_is_masked_as_a_value(value: object) -> None:
    masked = Redactor().value({"password": value, "token": ["x", value]})
    assert list(masked) == ["password", "token"]
    if not isinstance(value, str | dict):
        assert masked == {"password": value, "token": ["x", value]}


def test_a_deep_value_is_masked_too() -> None:
    value: list[object] = ["ghp_" + "a1B2" * 9]
    for _ in range(5_000):
        value = [value]
    redactor = Redactor()
    redactor.value(value)
    assert redactor.masked == 1

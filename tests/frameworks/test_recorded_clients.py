"""A run recorded inside this process: clients of Anthropic and Google that know nothing of it."""

from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.harness import module

from ullage import RecordedRun, record_run

pytestmark = [pytest.mark.slow]

ORDERS = '[{"id": "ORD-1"}, {"id": "ORD-2"}]'


def messages(text: str) -> Any:
    with module("anthropic").Anthropic() as client:
        said = {"role": "user", "content": text}
        return client.messages.create(model="m", max_tokens=9, messages=[said]).content[0].text


def generate(text: str) -> Any:
    client = module("google.genai").Client()
    return client.models.generate_content(model="m", contents=text).text


@pytest.mark.parametrize(("ask", "key"), [(messages, "ANTHROPIC"), (generate, "GEMINI")])
def test_a_client_is_recorded_and_answered_without_a_key(
    ask: Any, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{key}_API_KEY", raising=False)
    with record_run(tmp_path / "ledger") as run:
        assert ask(ORDERS) == "done"
        assert_read(run)


def assert_read(run: RecordedRun) -> None:
    (one,) = run.exchanges
    assert (one.kind, one.cohort) == ("turn", "scripted")
    assert one.request is not None
    assert [message.text for message in one.request.messages] == [ORDERS]

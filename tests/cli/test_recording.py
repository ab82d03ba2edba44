"""What recording commands keep."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from ullage.cli.recording import kept_small, limit_of, policy_of, recording
from ullage.errors import LedgerError, LoadError
from ullage.ledger.keep import KeepPolicy, read_policy
from ullage.ledger.prune import runs
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

Write = Callable[[str], None]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write the settings of the folder that we are in."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> None:
        (tmp_path / "ullage.toml").write_text(text, encoding="utf-8")

    return write


def produced(run: str, at: float) -> ProducedRecord:
    return ProducedRecord(run=run, tool="t", kind="tool", arguments="{}", text=run, at=at)


def test_everything_is_kept_if_nothing_is_said(settings: Write) -> None:
    assert policy_of(()).everything
    assert policy_of(()).exchanges == "full"


def test_flags_go_before_settings(settings: Write) -> None:
    settings('[keep]\ndefault = "counts"\ncrm = "hashes"\n"crm:email" = "counts"\n')

    policy = policy_of(["full", "crm=full"])

    assert (policy.default, policy.of("crm"), policy.of("other")) == ("full", "full", "full")
    assert policy.fields_of("crm") == {"email": "counts"}


def test_requests_are_kept_as_the_strictest_level_says() -> None:
    assert read_policy({"a": "hashes"}).exchanges == "hashes"
    assert read_policy({"a": "hashes", "b": "counts"}).exchanges == "counts"
    assert read_policy({"a:email": "counts"}).exchanges == "counts"


def test_the_settings_of_a_policy_give_the_policy_again() -> None:
    policy = read_policy({"default": "full", "a": "hashes", "a:b": "counts", "x:y:z": "hashes"})

    assert read_policy(policy.to_dict()) == policy
    assert policy.fields_of("x:y") == {"z": "hashes"}


@pytest.mark.parametrize("text", ['[keep]\nfetch = "some"\n', "[keep]\nfetch = 3\n"])
def test_a_level_that_is_none_is_named_with_its_place(settings: Write, text: str) -> None:
    settings(text)

    with pytest.raises(LoadError, match=r"\[tool.ullage.keep\]: keep fetch = .*: choose full"):
        policy_of(())


def test_a_flag_that_is_no_level_is_wrong_usage(settings: Write) -> None:
    with pytest.raises(click.BadParameter, match="keep crm = 'none': choose full, hashes, counts"):
        policy_of(["crm=none"])


def test_the_most_bytes_stand_in_the_settings_or_in_the_option(settings: Write) -> None:
    assert limit_of(None) is None
    settings('max_size = "2GB"\n')
    assert limit_of(None) == 2 * 10**9
    assert limit_of(7) == 7
    settings('max_size = "much"\n')
    with pytest.raises(LoadError, match=r"max_size: 'much' is no size"):
        limit_of(None)


def test_a_long_recording_is_kept_small_while_it_goes_on(tmp_path: Path) -> None:
    async def main(ledger: Ledger) -> None:
        async with kept_small(ledger, 1, every=0.01):
            for _ in range(500):
                if len(runs(ledger.session)) == 1:
                    break
                await asyncio.sleep(0.01)

    with Ledger(tmp_path / "a.ledger") as ledger:
        for at in range(5):
            ledger.add_produced(produced(f"r{at}", float(at)))
        asyncio.run(main(ledger))

        assert [one.tag for one in runs(ledger.session)] == ["r4"]


def break_off(ledger: Ledger) -> None:
    with recording(ledger, "r", KeepPolicy(default="counts"), None) as into:
        into.add_produced(produced("r", 1.0))
        raise LedgerError("broke off")


def test_what_was_recorded_is_settled_even_if_the_recording_breaks_off(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        with pytest.raises(LedgerError, match="broke off"):
            break_off(ledger)

        assert [(one.keep, one.text) for one in ledger.results()] == [("counts", "")]
    assert [file.name for file in tmp_path.iterdir()] == ["a.ledger"]

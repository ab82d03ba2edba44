"""Which upstream each base URL of a child goes on to, behind one proxy."""

import pytest

from ullage.cli.origins import base_urls, mounts, origins, settings
from ullage.errors import ProxyError

ADDRESS = "http://127.0.0.1:1234/run/T"


def set_for(upstreams: list[str], environment: dict[str, str]) -> dict[str, str]:
    found = origins(upstreams, environment)
    return base_urls(found, mounts(found.values()), ADDRESS)


def test_without_a_key_of_another_provider_only_openais_variables_are_set() -> None:
    assert set_for([], {}) == dict.fromkeys(["OPENAI_BASE_URL", "OPENAI_API_BASE"], f"{ADDRESS}/v1")


@pytest.mark.parametrize(
    ("sign", "variable"),
    [
        ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"),
        ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        ("GOOGLE_GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
def test_a_key_or_an_address_of_a_provider_has_its_variable_set(sign: str, variable: str) -> None:
    value = "http://gateway.test" if sign == variable else "secret"

    found = origins([], {sign: value})

    assert list(found) == ["OPENAI_BASE_URL", "OPENAI_API_BASE", variable]
    assert found[variable].found_in == (
        f"your {sign}" if sign == variable else "the provider's public address"
    )


def test_several_upstreams_stand_behind_one_proxy_each_under_its_prefix() -> None:
    changed = set_for(["http://127.0.0.1:8000/v1"], {"ANTHROPIC_API_KEY": "k"})

    assert changed == {
        "OPENAI_BASE_URL": f"{ADDRESS}/1/127.0.0.1:8000/v1",
        "OPENAI_API_BASE": f"{ADDRESS}/1/127.0.0.1:8000/v1",
        "ANTHROPIC_BASE_URL": f"{ADDRESS}/2/api.anthropic.com",
    }


def test_one_server_under_two_paths_is_one_upstream() -> None:
    changed = set_for([], {"OPENAI_BASE_URL": "http://h/a/v1", "OPENAI_API_BASE": "http://h/b"})

    assert changed == {"OPENAI_BASE_URL": f"{ADDRESS}/a/v1", "OPENAI_API_BASE": f"{ADDRESS}/b"}


def test_one_host_reached_in_two_ways_is_two_upstreams() -> None:
    found = origins(["http://h", "OPENAI_API_BASE=https://h"], {})

    assert list(settings(mounts(found.values())).mounts) == ["/1/h", "/2/h"]


def test_an_option_for_a_variable_goes_before_one_for_all_and_before_its_value() -> None:
    found = origins(
        ["http://all/v1", "OPENAI_API_BASE=http://one/v1", "ANTHROPIC_BASE_URL=http://a"],
        {"ANTHROPIC_BASE_URL": "http://mine"},
    )

    assert {name: one.url for name, one in found.items()} == {
        "OPENAI_BASE_URL": "http://all/v1",
        "OPENAI_API_BASE": "http://one/v1",
        "ANTHROPIC_BASE_URL": "http://a",
    }


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["http://a", "http://b"], "two upstreams for OPENAI_BASE_URL"),
        (["MY_URL=http://a"], "upstream for 'MY_URL': choose OPENAI_BASE_URL"),
        (["ANTHROPIC_BASE_URL=ftp://a"], "scheme 'ftp' is not http or https"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_words(options: list[str], says: str) -> None:
    with pytest.raises(ProxyError, match=says):
        origins(options, {})

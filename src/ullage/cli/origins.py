"""Where a child's requests go on to: an upstream for each variable that names a base URL."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.errors import ProxyError
from ullage.tap.proxy.settings import ProxySettings, Upstream, parse_upstream


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable that clients take their base URL from, and the provider's public address.

    It is set for the child where one of `signs` is in the environment: a value of its own, or a
    key of the provider. No signs: always.
    """

    name: str
    public: str
    signs: Sequence[str] = ()


OPENAI = "https://api.openai.com/v1"
VARIABLES = (
    Variable(name="OPENAI_BASE_URL", public=OPENAI),
    Variable(name="OPENAI_API_BASE", public=OPENAI),
    Variable(
        name="ANTHROPIC_BASE_URL",
        public="https://api.anthropic.com",
        signs=("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    ),
    Variable(
        name="GOOGLE_GEMINI_BASE_URL",
        public="https://generativelanguage.googleapis.com",
        signs=("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
)
KNOWN = {variable.name: variable for variable in VARIABLES}
BASE_URLS = tuple(KNOWN)
# `--upstream URL` is for these: what such an address serves is OpenAI's API.
PLAIN = ("OPENAI_BASE_URL", "OPENAI_API_BASE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The address that a variable's requests go on to, and where that was found."""

    url: str
    upstream: Upstream
    found_in: str


def origins(upstreams: Iterable[str], environment: Mapping[str, str]) -> dict[str, Origin]:
    """Return each variable's upstream: the option, else its present value, else the public one.

    An option is `URL` or `VARIABLE=URL`. Raises ProxyError for an address that cannot be used.
    """
    options = named(upstreams)
    found = {}
    for variable in VARIABLES:
        name = variable.name
        if name in options:
            found[name] = origin(options[name], "--upstream")
        elif environment.get(name):
            found[name] = origin(environment[name], f"your {name}")
        elif not variable.signs or any(environment.get(sign) for sign in variable.signs):
            found[name] = origin(variable.public, "the provider's public address")
    return found


def named(upstreams: Iterable[str]) -> dict[str, str]:
    """Return the address of each variable that an option is about."""
    plain: dict[str, str] = {}
    options: dict[str, str] = {}
    for text in upstreams:
        match = re.fullmatch(r"([A-Z][A-Z0-9_]*)=(.*)", text)
        names = PLAIN if match is None else (match[1],)
        url = text if match is None else match[2]
        if unknown := [name for name in names if name not in KNOWN]:
            raise ProxyError(f"upstream for {unknown[0]!r}: choose {', '.join(KNOWN)}")
        into = plain if match is None else options
        if any(name in into for name in names):
            raise ProxyError(f"there are two upstreams for {names[0]}: leave one out")
        into |= dict.fromkeys(names, url)
    return {**plain, **options}


def origin(url: str, found_in: str) -> Origin:
    """Read one address."""
    return Origin(url=url, upstream=parse_upstream(url), found_in=found_in)


def mounts(found: Iterable[Origin]) -> dict[str, Upstream]:
    """Return the upstreams of one proxy by their prefixes; a single one needs none."""
    servers = list({one.upstream.origin: one.upstream for one in found}.values())
    if len(servers) == 1:
        return {"": servers[0]}
    # The number tells them apart where one host is reached in two ways; the host is for people.
    return {
        f"/{number}/{re.sub(r'[^A-Za-z0-9.:-]', '', one.authority)}": one
        for number, one in enumerate(servers, 1)
    }


def settings(by_prefix: Mapping[str, Upstream]) -> ProxySettings:
    """Return what one proxy in front of all of them needs to know."""
    return ProxySettings(
        upstream=by_prefix.get(""),
        mounts={prefix: upstream for prefix, upstream in by_prefix.items() if prefix},
    )


def base_urls(
    found: Mapping[str, Origin], by_prefix: Mapping[str, Upstream], address: str
) -> dict[str, str]:
    """Return what each variable is set to, for a proxy and a run at `address`."""
    prefixes = {upstream.origin: prefix for prefix, upstream in by_prefix.items()}
    return {
        variable: f"{address}{prefixes[one.upstream.origin]}{one.upstream.path}"
        for variable, one in found.items()
    }

"""What `ullage run` sets for the coding CLIs that it knows, and takes away again."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ullage.cli import origins
from ullage.errors import UllageError
from ullage.tap.clis.recipe import Recipe, Setup, Surroundings
from ullage.tap.clis.table import recipe_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What the child gets on top: variables, words behind its first one, and how it is listed."""

    variables: Mapping[str, str]
    arguments: Sequence[str]
    listed: Mapping[str, str]


def known_cli(words: Sequence[str], environment: Mapping[str, str]) -> Recipe | None:
    """Return what a command needs if it is a coding CLI that we know."""
    return recipe_for(
        Surroundings(
            words=words, environment=environment, home=Path.home(), folder=Path.cwd().absolute()
        )
    )


def with_endpoints(
    found: Mapping[str, origins.Origin], recipe: Recipe | None, upstreams: Sequence[str]
) -> dict[str, origins.Origin]:
    """Add where a CLI's requests go on to; `--upstream URL` is for all that it asks.

    Raises ProxyError for an address that cannot be used.
    """
    endpoints = recipe.endpoints if recipe else ()
    options = origins.named(upstreams)
    plain = next((url for url in upstreams if url in options.values()), None)
    added = {}
    for one in endpoints:
        url = options.get(one.name) or plain
        added[one.name] = (
            origins.origin(url, "--upstream") if url else origins.origin(one.url, one.found_in)
        )
    return {**found, **added}


@contextmanager
def prepared(
    recipe: Recipe | None, base_urls: Mapping[str, str], environment: Mapping[str, str]
) -> Iterator[Prepared]:
    """Give what the child gets; files of it are there as long as the block runs."""
    if recipe is None:
        yield Prepared(variables={}, arguments=(), listed={})
        return
    urls = {one.name: base_urls[one.name] for one in recipe.endpoints}
    setup = recipe.setup(urls) if urls else Setup()
    with ExitStack() as stack:
        paths = written(setup.files, environment, stack) if setup.files else {}
        variables = {**setup.variables, **paths}
        plain = {name: value for name, value in variables.items() if not value.startswith("{")}
        hidden = [name for name in variables if name not in plain]
        listed = {**urls, **plain, **dict.fromkeys(hidden, "(settings that say so)")}
        yield Prepared(variables=variables, arguments=setup.arguments, listed=listed)


def written(
    files: Mapping[str, str], environment: Mapping[str, str], stack: ExitStack
) -> dict[str, str]:
    """Write settings into a folder that only the owner can reach; return their paths.

    Not in the folder for temporary files: settings below one that everybody may write in are
    refused by some CLIs (Gemini CLI 0.61.0).
    """
    cache = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ullage"
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=cache, prefix="run-")))
        paths = {name: folder / f"{name.lower()}.json" for name in files}
        for name, content in files.items():
            paths[name].write_text(content, encoding="utf-8")
    except OSError as error:
        raise UllageError(
            f"run: cannot write settings in {str(cache)!r}: {error.strerror or error}; "
            "set XDG_CACHE_HOME to a folder of yours"
        ) from error
    return {name: str(path) for name, path in paths.items()}

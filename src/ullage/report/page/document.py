"""The whole HTML file around a page's sections: one file that loads nothing and obeys no text."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from importlib.resources import files

from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.palette import rules


def document(
    title: str,
    parts: Mapping[str, str],
    *sections: Safe,
    made: str,
    skip: str,
    data: str = "{}",
    clean: Callable[[str], str] = str,
) -> str:
    """Return a page of sections; `parts` names them for its bar, by id, `skip` the one to jump to.

    `data` is JSON for the page's script. `clean` takes secrets out of all that is shown. The page
    needs no other file and no network, and asks for none.
    """
    style = rules() + resource("page.css")
    script = resource("page.js")
    body = joined(
        tag("a", f"Skip to the {parts[skip].lower()}", href=f"#{skip}", class_="skip"),
        top(parts),
        tag("main", *sections, id="main"),
        tag("footer", tag("p", made)),
    )
    whole = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Safe(style)),
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{joined(*whole)}</head>\n'
        f"<body>{clean(body)}\n"
        f'<script type="application/json" id="data">{data}</script>\n'
        f"<script>{script}</script></body>\n</html>\n"
    )


def top(parts: Mapping[str, str]) -> Safe:
    """Return the bar with the ways to the sections, and the switch between light and dark."""
    links = [tag("a", words, href=f"#{name}") for name, words in parts.items()]
    switch = tag("button", "Theme: system", type="button", id="theme", class_="needs-script")
    return tag(
        "header",
        tag("b", "ullage"),
        tag("nav", *links, aria_label="Sections"),
        switch,
        class_="top",
    )


def policy(style: str, script: str) -> str:
    """Return a policy under which nothing is loaded, and only our own script and style run."""
    return (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """Return the mark of a text by which a policy allows it."""
    made = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(made).decode('ascii')}"


def resource(name: str) -> str:
    """Return a file of this package."""
    return files("ullage.report.page").joinpath(name).read_text(encoding="utf-8")

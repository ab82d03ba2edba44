"""Seeing through what a result is wrapped in: the inner text is cut, and the wrapping put back.

A layer is a byte order mark, a JSON string, a fence, or words before and after a payload
("Observation:"). Layers may stand in each other; each is peeled by the call that cuts what is
inside.
"""

import ast
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ullage.cutter import spans
from ullage.cutter.budget import Budget
from ullage.cutter.measured import cut_measured
from ullage.cutter.path import inside
from ullage.cutter.values import Account, Cut, Noticed, Part

# What may stand before a payload on its line, and how long it may be: a label, not a sentence.
LABEL = re.compile(r"\s*+(?:[A-Za-z][\w -]{0,40}+:\s*+){1,3}+(?=[\[{\"])")
FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})[^\n`]*+\n", re.MULTILINE)
# What may stand around a fence that is nearly all of a text: a sentence or two.
AROUND_A_FENCE = 600
MARK = "\ufeff"
# The text of an MCP result as Python prints it.
MCP_TEXT = re.compile(r"""TextContent\(.{0,80}?\btext=(?P<literal>'|")""")
LITERAL = {
    "'": re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL),
    '"': re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A text inside another: `before` + `write(inner)` + `after` is the whole."""

    before: str
    inner: str
    after: str
    write: Callable[[str], str]
    findings: tuple[Noticed, ...] = ()


def as_it_is(text: str) -> str:
    """Return a text that its wrapping does not change."""
    return text


def peel(source: str) -> Layer | None:
    """Return the outermost layer of a text; None where there is none that we know."""
    return (
        marked(source)
        or json_string(source)
        or fenced(source)
        or labelled(source)
        or mcp_result(source)
    )


def marked(source: str) -> Layer | None:
    """Return the layer of JSON behind a byte order mark, as files of Windows begin."""
    inner = source.removeprefix(MARK)
    if inner is source or not is_document(inner):
        return None
    return Layer(before=MARK, inner=inner, after="", write=as_it_is)


def json_string(source: str) -> Layer | None:
    """Return the layer of a text that is one JSON string around JSON."""
    text = source.strip(spans.WHITE)
    if not text.startswith('"') or not spans.is_json(text):
        return None
    return string_layer(text)


def string_layer(literal: str) -> Layer | None:
    """Return the layer of a JSON string literal whose content is a JSON object or list."""
    inner = str(json.loads(literal, strict=False))
    if not is_document(inner):
        return None
    found = Noticed(check="double-encoded", severity="note", evidence={"characters": len(inner)})
    return Layer(before='"', inner=inner, after='"', write=writer(literal), findings=(found,))


def is_document(text: str) -> bool:
    """Whether a text is a JSON object or list, or one more layer around it."""
    start = text.lstrip(spans.WHITE)[:1]
    return start in ("{", "[", '"') and spans.is_json(text)


def writer(literal: str) -> Callable[[str], str]:
    """Return how a text is written inside a JSON string: escaped as far as the literal was."""
    ascii_only = literal.isascii()

    def write(text: str) -> str:
        return json.dumps(text, ensure_ascii=ascii_only)[1:-1]

    return write


def string_document(literal: str) -> str | None:
    """Return the JSON object or list that a JSON string literal holds, strings around it aside."""
    layer = string_layer(literal)
    while layer is not None:
        inner = layer.inner.strip(spans.WHITE)
        if not inner.startswith('"'):
            return inner
        layer = string_layer(inner)
    return None


def fenced(source: str) -> Layer | None:
    """Return the layer of a text that is one fenced block of JSON, with a few words around it."""
    opening = FENCE.search(source)
    if opening is None or opening.start() > AROUND_A_FENCE:
        return None
    end = source.rfind(f"\n{opening[1]}")
    if end < opening.end() or len(source) - end > AROUND_A_FENCE:
        return None
    inner = source[opening.end() : end]
    if not is_document(inner):
        return None
    return Layer(before=source[: opening.end()], inner=inner, after=source[end:], write=as_it_is)


def labelled(source: str) -> Layer | None:
    """Return the layer of JSON behind a label such as "Observation:"."""
    match = LABEL.match(source)
    if match is None or not is_document(source[match.end() :]):
        return None
    return Layer(before=match[0], inner=source[match.end() :], after="", write=as_it_is)


def mcp_result(source: str) -> Layer | None:
    """Return the layer of an MCP result that Python printed, around its longest text."""
    found = None
    for match in MCP_TEXT.finditer(source):
        literal = LITERAL[match["literal"]].match(source, match.end() - 1)
        if literal and (found is None or len(literal[0]) > len(found[0])):
            found = literal
    if found is None:
        return None
    try:
        inner = str(ast.literal_eval(found[0]))
    except (ValueError, SyntaxError):
        return None
    quote = found[0][0]
    return Layer(
        before=source[: found.start()] + quote,
        inner=inner,
        after=quote + source[found.end() :],
        write=python_writer(quote),
    )


def python_writer(quote: str) -> Callable[[str], str]:
    """Return how Python writes a text between quotes of this kind."""

    def write(text: str) -> str:
        body = repr(text + '"')[1:-2]  # a text with a double quote is printed between single ones
        return body if quote == "'" else body.replace("\\'", "'").replace('"', '\\"')

    return write


def cut_layer(layer: Layer, source: str, budget: Budget, cut_inner: Callable[[Budget], Cut]) -> Cut:
    """Cut what is inside a layer, and put the wrapping back."""
    room = budget.limit - len(layer.before) - len(layer.after)
    if room < 1:
        return below_floor(layer, source, budget, cut_inner(replace(budget, limit=1)))

    def within(limit: int) -> Cut:
        return cut_inner(replace(budget, limit=limit, stated=budget.words))

    def written(text: str) -> int:
        return len(layer.write(text))

    if layer.write is as_it_is:
        done = within(room)
    else:
        # One attempt: what escapes take is nearly the same everywhere in a text, and each layer
        # inside multiplies the attempts of this one.
        done = cut_measured(layer.inner, room, written, within, attempts=1)
    text = layer.before + layer.write(done.text) + layer.after
    account = account_of(done.account, layer, source, budget, text)
    findings = (*layer.findings, *done.findings)
    return replace(done, text=text, account=account, findings=findings)


def below_floor(layer: Layer, source: str, budget: Budget, least: Cut) -> Cut:
    """Return the cut of a text whose wrapping alone does not fit: nothing, and it says so."""
    account = account_of(least.account, layer, source, budget, "")
    parts = tuple(replace(part, delivered=0) for part in account.parts)
    return replace(least, text="", account=replace(account, parts=parts, below_floor=True))


def account_of(inner: Account, layer: Layer, source: str, budget: Budget, text: str) -> Account:
    """Return the account of the whole from that of what is inside."""
    return replace(
        inner,
        budget=budget,
        floor=inner.floor + len(layer.before) + len(layer.after),
        produced=replace(inner.produced, chars=len(source)),
        delivered=replace(inner.delivered, chars=len(text)),
        below_floor=not text,
    )


def parts_inside(path: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of a text inside a string at `path`, as parts of the outer document."""
    return tuple(replace(part, path=inside(path) + part.path[1:]) for part in parts)

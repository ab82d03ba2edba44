"""A compaction that is ready to run: what was given, read and checked."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict, cast

from ullage.errors import LoadError
from ullage.history.compacted import Compacted, Row, Size
from ullage.history.course import Course
from ullage.history.forms.form import Form
from ullage.history.forms.table import as_body, form_of
from ullage.history.gauge import Gauge
from ullage.history.of_transcript import body_of
from ullage.history.piece import HistoryUnit, Piece
from ullage.history.protect import Protect
from ullage.history.recall import Store, phrase
from ullage.history.recall_ledger import LedgerStore
from ullage.history.rules.rule import Rule
from ullage.history.rules.table import RULES, rules_by_name
from ullage.history.settings import Settings, Summarise, Tier
from ullage.history.summarisers import Given, Messages
from ullage.history.summary import Answer, Ask, Failed
from ullage.history.summary_settings import SummarySettings
from ullage.history.tiers import compacting
from ullage.history.work import TIERS, Work
from ullage.ledger.store import Ledger
from ullage.transcript.transcript import Transcript
from ullage.wire.members import Object

BRACKETS = 1
"""Of a list in JSON: two brackets, and the last message has no comma behind it."""


class Options(TypedDict, total=False):
    """What may be set of a compaction; what is left out has the value that is named here.

    `unit` ("tokens"): what the budget counts, `chars` being those of the messages as compact JSON.
    `tier` ("T4"). `model`: whose tokens, else the body's own. `reserve`: tokens kept free for the
    reply where the body sets no output limit (0). `protect`: what never leaves, `role:user`,
    `index:3`, `tag:NAME`, `tool:NAME`, `text:WORDS`, `marked` or a function of a `Piece`.
    `keep_turns` (3): the last turns that no rule and no summary touches. `rules` (all): names,
    import paths or functions, in this order. `summariser`: a function, a URL or a command.
    `summary`: how one is made. `summarise` ("may") and `trim` ("oldest-unit"): "never" leaves that
    step out. `gate`: a summary only where the rules leave it this share over the budget. `soft`
    (0.60) and `hard` (0.85): T4's ratios. `store`: where T2 and T4 keep what rules take out; a
    `ledger` is one too, and has every compaction recorded, under `run`.
    """

    unit: HistoryUnit
    tier: Tier
    model: str | None
    reserve: int | None
    protect: Sequence[Protect]
    keep_turns: int
    rules: Sequence[str | Rule] | None
    summariser: "Given | None"
    summary: SummarySettings | None
    summarise: Summarise
    trim: str
    gate: float | None
    soft: float
    hard: float
    store: Store | None
    ledger: Ledger | None
    run: str | None


# What Settings checks; the others are objects.
SETTINGS = frozenset(one.name for one in fields(Settings)) - {"budget"}


@dataclass(slots=True, kw_only=True)
class Job:
    """A compaction: the document, its pieces on their course, and what is to be done."""

    document: Object
    is_list: bool
    form: Form
    given: tuple[Piece, ...]
    course: Course
    work: Work
    options: Options
    fixed: int
    reserve: int
    reserve_from: str
    before: Size
    summariser: Given

    @property
    def steps(self) -> Generator[Ask, Answer | Failed, None]:
        """The compaction, step by step."""
        return compacting(self.course, self.work)

    def done(self) -> Compacted:
        """Return what came out."""
        pieces = self.course.pieces
        written = self.form.write(self.document, pieces)
        messages = messages_of(written, self.form)
        settings = self.work.settings
        return Compacted(
            messages=messages,
            body=messages if self.is_list else written,
            trail=self.form.trail(pieces),
            tier=settings.tier,
            events=tuple(self.course.events),
            before=self.before,
            after=Size(tokens=self.course.tokens, cost=self.course.cost, messages=len(messages)),
            budget=settings.budget,
            unit=settings.unit,
            reserve=self.reserve,
            reserve_from=self.reserve_from,
            table=self.table(),
        )

    def table(self) -> tuple[Row, ...]:
        """Return the parts of the budget table; the rows add up to the sizes before and after."""
        before, after = parts_of(self.given), parts_of(self.course.pieces)
        fixed = {"tools": self.fixed, "reserve": self.reserve}
        return tuple(
            Row(
                part=part,
                before=fixed.get(part, before.get(part, 0)),
                after=fixed.get(part, after.get(part, 0)),
            )
            for part in ("system", "tools", "data", "history", "reserve")
        )


def job_of(history: object, budget: int, options: Options) -> Job:
    """Read a history and its settings. Raises LoadError, ValueError and TypeError."""
    settings = settings_of(budget, options)
    given = body_of(history) if isinstance(history, Transcript) else history
    form, document = form_of(given), as_body(given)
    check_messages(document, form)
    model = settings.model or model_of(document)
    gauge = Gauge(settings.unit, model)
    pieces = form.read(document, gauge)
    fixed = form.fixed(document, gauge)
    reserve, reserve_from = reserve_of(fixed.reserve, settings.reserve)
    course = Course(
        pieces,
        fixed_tokens=fixed.tokens + reserve,
        fixed_cost=fixed.cost
        + {"tokens": reserve, "chars": BRACKETS, "messages": 0}[settings.unit],
    )
    summariser = options.get("summariser")
    return Job(
        document=document,
        is_list=isinstance(given, list),
        form=form,
        given=pieces,
        course=course,
        work=Work(
            settings=settings,
            form=form,
            gauge=gauge,
            rules=rules_of(options.get("rules")),
            handle=handle_of(pieces, store_of(options), settings),
            summary=options.get("summary") or SummarySettings(),
            asks=summariser is not None,
        ),
        options=options,
        fixed=fixed.tokens,
        reserve=reserve,
        reserve_from=reserve_from,
        before=Size(
            tokens=course.tokens, cost=course.cost, messages=len(messages_of(document, form))
        ),
        summariser=nobody if summariser is None else summariser,
    )


def nobody(messages: Messages) -> str:
    """Stand for the summariser that there is not: without one, no step asks for a summary."""
    raise LookupError(f"there is no summariser to be asked by {len(messages)} messages")


def settings_of(budget: int, options: Options) -> Settings:
    """Return the settings among the options. Raises ValueError; TypeError for an unknown name."""
    known = Options.__annotations__
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise TypeError(f"compact() has no option {unknown[0]!r}: choose {', '.join(known)}")
    given = {name: value for name, value in options.items() if name in SETTINGS}
    return Settings(budget=budget, **cast("dict[str, Any]", given))


def model_of(document: Object) -> str | None:
    """Return the model that a body names."""
    named = document.get("model")
    return named if isinstance(named, str) and named else None


def reserve_of(own: int | None, given: int | None) -> tuple[int, str]:
    """Return the tokens that are kept for the reply, and by whose word."""
    if own:
        return own, "the body's output limit"
    if given is not None:
        return given, "as given"
    return 0, "no output limit is set"


def rules_of(wanted: Sequence[str | Rule] | None) -> Mapping[str, Rule]:
    """Return the rules by name; a function's name is its import path."""
    if wanted is None:
        return RULES
    found: dict[str, Rule] = {}
    for one in wanted:
        if isinstance(one, str):
            found |= rules_by_name([one])
        else:
            name = getattr(one, "__qualname__", type(one).__qualname__)
            found[f"{getattr(one, '__module__', 'rule')}:{name}"] = one
    return found


def store_of(options: Options) -> Store | None:
    """Return where whole texts are kept: the store that was given, else the ledger."""
    store, ledger = options.get("store"), options.get("ledger")
    if store is None and ledger is not None:
        return LedgerStore(ledger, options.get("run"), clock=time.time)
    return store


def handle_of(
    pieces: Sequence[Piece], store: Store | None, settings: Settings
) -> Callable[[str], str] | None:
    """Return what keeps a whole result under its tool's name, and says how to have it again."""
    if store is None or not TIERS[settings.tier].keeps:
        return None
    calls = {call.call_id: call for one in pieces for call in one.message.calls if call.call_id}
    tools = {
        one.message.text: calls.get(one.message.answers or "") for one in pieces if one.is_result
    }

    def keep(whole: str) -> str:
        call = tools.get(whole)
        if call is None:
            return phrase(store.keep(whole, tool=""))
        return phrase(store.keep(whole, tool=call.name, call=call.arguments))

    return keep


def messages_of(document: Object, form: Form) -> list[object]:
    """Return the messages of a body; a text alone is one."""
    held = document.get(form.list_member)
    return held if isinstance(held, list) else [held]


def check_messages(document: Object, form: Form) -> None:
    """Raise LoadError for a list that holds no message at all."""
    held = document.get(form.list_member)
    if isinstance(held, list) and held and not any(isinstance(one, dict) for one in held):
        raise LoadError(
            f"no history: none of the {len(held)} items of {form.list_member!r} is a message; "
            f"the first is {type(held[0]).__name__}"
        )


def parts_of(pieces: Sequence[Piece]) -> Mapping[str, int]:
    """Return the tokens of each part of the budget table that is made of messages."""
    sums: dict[str, int] = {}
    for one in pieces:
        part = "system" if one.message.role == "system" else "data" if one.is_result else "history"
        sums[part] = sums.get(part, 0) + one.tokens
    return sums

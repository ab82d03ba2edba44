"""The last day: the same questions to a model, over complete data and over data that was cut.

One process of a listing waited far longer than all others; the model is to name its container. In
half of the questions it stands among the first early records, in half in the late list. Each
question has a listing of its own, so that answers are independent of each other.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal, get_args

import aiohttp
from benchmarks.replay.listing import listing
from benchmarks.replay.machine import Process, made_machine
from benchmarks.replay.week import POLICIES

from ullage.policies.policy import parse_policy
from ullage.transcript.words import COHORT_HEADER, Cohort

Place = Literal["early", "late"]
Said = Literal["correct", "wrong", "not there", "no answer", "failed"]
"""`wrong` names another container, `not there` says that the data do not show it."""

ARMS = ("complete", *POLICIES)
FIRST_EARLY = 25
"""An early culprit is among so many first records: a prefix of 6,000 characters keeps 30."""
AT_ONCE = 4
MOST_TOKENS = 256
SYSTEM = "You answer from the data that you are given, and from nothing else."
QUESTION = (
    "One process in these data has a far larger wait_ms than all others. Which container is it in?"
    ' Answer with one JSON object, {"container": "NAME"}, or {"container": null} if the data do not'
    " show such a process.\n\n"
)
OBJECT = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question in one arm."""

    place: Place
    arm: str
    number: int
    data: str
    container: str
    wait_ms: int

    @property
    def evidence(self) -> bool:
        """Whether the culprit's wait stands in the data."""
        return f'"wait_ms":{self.wait_ms}' in self.data

    @property
    def prompt(self) -> str:
        """What the user says."""
        return QUESTION + self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Where the model is: an OpenAI-compatible base URL, such as http://127.0.0.1:8000/v1."""

    url: str
    name: str
    cohort: Cohort = "external"
    key: str | None = None
    timeout: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a model said to one question; `why` tells of a failure."""

    asked: str
    place: Place
    arm: str
    number: int
    evidence: bool
    said: Said
    cohort: Cohort
    why: str = ""


def questions(seed: int, each: int) -> Iterator[Question]:
    """Yield the questions: `each` for every place and arm, the same ones in every arm."""
    for place in get_args(Place):
        for number in range(each):
            text, culprit = posed(place, Random(f"{seed}/model/{place}/{number}"))
            for arm in ARMS:
                data = text if arm == "complete" else parse_policy(arm).applied()(text).text
                yield Question(
                    place=place,
                    arm=arm,
                    number=number,
                    data=data,
                    container=culprit.container,
                    wait_ms=culprit.wait_ms,
                )


def posed(place: Place, random: Random) -> tuple[str, Process]:
    """Return a listing, and the process whose container is asked for."""
    machine, wait = made_machine(random), random.randrange(60_000, 99_000)
    if place == "early":
        at = random.randrange(FIRST_EARLY)
        culprit = replace(machine.spawned[at], wait_ms=wait)
        return listing(machine.with_spawned(at, culprit)), culprit
    at = random.randrange(len(machine.resident))
    culprit = replace(machine.resident[at], wait_ms=wait)
    return listing(machine.with_resident(at, culprit)), culprit


def asked_as(question: Question, model: Model) -> str:
    """Return a digest of all that an answer depends on."""
    said = [model.url, model.name, model.cohort, question.arm, SYSTEM, question.prompt]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def ask_all(
    asked: Sequence[Question], model: Model, kept: Path, step: Callable[[], object]
) -> list[Answered]:
    """Ask what is not answered yet; each answer is kept in `kept` as it comes, failures are not."""
    known = answers_in(kept)
    names = [asked_as(one, model) for one in asked]
    left = [(one, name) for one, name in zip(asked, names, strict=True) if name not in known]
    for _ in range(len(asked) - len(left)):
        step()

    def take(answered: Answered) -> None:
        known[answered.asked] = answered
        if answered.said != "failed":
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(answered)) + "\n")
        step()

    asyncio.run(ask_left(left, model, take))
    return [known[name] for name in names]


def answers_in(kept: Path) -> dict[str, Answered]:
    """Return the answers that are kept; a last line that a kill left unfinished is asked again."""
    if not kept.exists():
        return {}
    text = kept.read_text(encoding="utf-8")
    whole, _, torn = text.rpartition("\n")
    if torn:
        kept.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
    found = [Answered(**json.loads(line)) for line in whole.splitlines()]
    return {one.asked: one for one in found}


async def ask_left(
    left: Sequence[tuple[Question, str]], model: Model, take: Callable[[Answered], None]
) -> None:
    """Ask some questions at once."""
    room = asyncio.Semaphore(AT_ONCE)
    headers = {"Authorization": f"Bearer {model.key}"} if model.key else {}
    limit = aiohttp.ClientTimeout(total=model.timeout)
    async with aiohttp.ClientSession(headers=headers, timeout=limit) as client:

        async def one(question: Question, name: str) -> None:
            async with room:
                take(await answer(client, model, question, name))

        await asyncio.gather(*(one(*each) for each in left))


async def answer(
    client: aiohttp.ClientSession, model: Model, question: Question, name: str
) -> Answered:
    """Ask one question."""
    body = {
        "model": model.name,
        "temperature": 0,
        "max_tokens": MOST_TOKENS,
        "messages": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": question.prompt},
        ],
    }
    url = f"{model.url.rstrip('/')}/chat/completions"
    cohort, why = model.cohort, ""
    said: Said = "failed"
    try:
        async with client.post(url, json=body, allow_redirects=False) as reply:
            if reply.headers.get(COHORT_HEADER) == "scripted":
                cohort = "scripted"
            if reply.status == 200:
                said = judged(text_of(await reply.json(content_type=None)), question.container)
            else:
                why = f"status {reply.status}"
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        why = type(error).__name__
    return Answered(
        asked=name,
        place=question.place,
        arm=question.arm,
        number=question.number,
        evidence=question.evidence,
        said=said,
        cohort=cohort,
        why=why,
    )


def text_of(document: object) -> str:
    """Return the text of a chat completion. Raises ValueError for a document that is none."""
    try:
        content = document["choices"][0]["message"]["content"]  # type: ignore[index]  # the wire
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError("no chat completion") from error
    return content if isinstance(content, str) else ""


def judged(text: str, container: str) -> Said:
    """Say what a reply is: its last JSON object counts."""
    for found in reversed(OBJECT.findall(text)):
        try:
            value = json.loads(found)
        except ValueError:
            continue
        if "container" in value:
            named = value["container"]
            if named is None:
                return "not there"
            return "correct" if named == container else "wrong"
    return "no answer"

"""Fitting one JSON value into a budget: fair shares for an object, whole records for a list."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ullage.cutter import path as paths
from ullage.cutter import spans, strings
from ullage.cutter.choose import capped, choose
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.share import level
from ullage.cutter.standout import Standout, standouts
from ullage.cutter.values import Kept, Part, ranges

# Containers below this depth are kept whole or emptied, never opened, so that a hostile depth
# costs no stack and bounded time.
DEEPEST = 64
NOTICE_KEY = '"_ullage"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A child of a container: `head` is `"key":` or nothing."""

    head: str
    value: str
    path: str

    @property
    def size(self) -> int:
        """Characters it takes, its comma aside."""
        return len(self.head) + len(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A fitted value, and what became of each part inside it, in document order."""

    text: str
    parts: tuple[Part, ...] = ()


@dataclass(slots=True)
class Fitter:
    """Fits the values of one document; what it reads is remembered by path for the next attempt."""

    keep: Keep
    prior: Prior
    read: dict[str, list[Entry]] = field(default_factory=dict)
    odd: dict[str, list[Standout]] = field(default_factory=dict)
    wanted: dict[str, list[int]] = field(default_factory=dict)

    def entries(self, text: str, path: str) -> list[Entry]:
        """Return the children of a container; the notice of an earlier cut is none of them."""
        if path not in self.read:
            if spans.kind(text) == "array":
                found = [
                    Entry(head="", value=one, path=paths.item(path, index))
                    for index, one in enumerate(spans.items(text))
                ]
            else:
                found = [
                    Entry(head=f"{key}:", value=value, path=paths.member(path, key))
                    for key, value in spans.members(text)
                ]
            self.read[path] = found
        return self.read[path]

    def least(self, text: str, path: str) -> int:
        """Return the length of the smallest form of a value, with what must stay inside it."""
        if path in self.keep.paths:
            return len(text)
        match spans.kind(text):
            case "string":
                return strings.least(text)
            case "array" | "object":
                if not self.keep.leads_to(path):
                    return 2
                inner = [
                    len(one.head) + self.least(one.value, one.path) + 1
                    for one in self.entries(text, path)
                    if one.path in self.keep.paths or self.keep.leads_to(one.path)
                ]
                return 1 + max(sum(inner), 1)
            case _:
                return len(text)

    def fit(self, text: str, budget: int, path: str, depth: int = 0) -> Piece | None:
        """Fit a value into `budget`; None where not even its emptiest form fits."""
        if len(text) <= budget:
            return Piece(text=text, parts=self.whole(text, path, depth))
        match spans.kind(text):
            case "string":
                return self.fit_string(text, budget, path)
            case "array" | "object" if budget >= 2:
                entries = self.entries(text, path)
                if depth >= DEEPEST:
                    return self.assemble(text, path, entries, {}, {})
                return self.fit_children(text, entries, budget, path, depth)
            case _:
                return None

    def fit_string(self, text: str, budget: int, path: str) -> Piece | None:
        """Shorten a string literal."""
        done = strings.shorten(text, budget)
        if done is None:
            return None
        short, literal, count = done
        part = Part(
            path=path,
            unit="characters",
            produced=literal.produced,
            delivered=count,
            left_out=((count, literal.characters - 1),) if count < literal.characters else (),
        )
        return Piece(text=short, parts=(part,))

    def fit_children(
        self, text: str, entries: list[Entry], budget: int, path: str, depth: int
    ) -> Piece:
        """Fit a container: an object's members at a fair share, else the best of its children."""
        room = budget - 2 - max(len(entries) - 1, 0)
        if spans.kind(text) == "object":
            least = [len(one.head) + self.least(one.value, one.path) for one in entries]
            if sum(least) <= room:
                pieces = self.share_out(entries, least, room, depth)
                return self.assemble(text, path, entries, pieces, {})
        return self.select(text, entries, budget, path, depth)

    def share_out(
        self, entries: list[Entry], least: list[int], room: int, depth: int
    ) -> dict[int, Piece]:
        """Fit every entry: each has its least, and a max-min fair share of the rest."""
        extra = room - sum(least)
        wants = [one.size - small for one, small in zip(entries, least, strict=True)]
        share = level(wants, extra)
        pieces: dict[int, Piece] = {}
        order = sorted(range(len(entries)), key=wants.__getitem__)
        for done, index in enumerate(order):
            one = entries[index]
            if wants[index] > share:
                share = extra // (len(order) - done)
            allowed = least[index] - len(one.head) + min(wants[index], share)
            piece = self.fit(one.value, allowed, one.path, depth + 1)
            if piece is None:  # its least form is what `least` promised
                raise AssertionError(f"{one.path} does not fit into its own least size")
            pieces[index] = piece
            extra -= len(one.head) + len(piece.text) - least[index]
        if depth == 0:  # deeper, each level would double the work of the next
            self.hand_back(entries, pieces, order, extra)
        return pieces

    def hand_back(
        self, entries: list[Entry], pieces: dict[int, Piece], order: list[int], extra: int
    ) -> None:
        """Give what whole records left of one part's share to the parts that can use it."""
        for index in order:
            one, before = entries[index], pieces[index]
            if extra > 0 and before.text != one.value:
                again = self.fit(one.value, len(before.text) + extra, one.path, 1)
                if again and len(again.text) > len(before.text):
                    extra -= len(again.text) - len(before.text)
                    pieces[index] = again

    def select(self, text: str, entries: list[Entry], budget: int, path: str, depth: int) -> Piece:
        """Keep the records that say most, whole where they are not outsized."""
        full = [one.size + 1 for one in entries]
        costs = capped(
            full,
            budget - 1,  # two brackets, and no comma after the last
            lambda at: len(entries[at].head) + self.least(entries[at].value, entries[at].path) + 1,
        )
        chosen = choose(
            costs,
            budget - 1,
            wanted=self.wants(entries, path),
            unusual=self.unusual(entries, path),
        )
        pieces = {}
        for index in sorted(chosen):
            one, allowed = entries[index], costs[index] - 1
            piece = self.fit(one.value, allowed - len(one.head), one.path, depth + 1)
            if piece is not None and (piece.text == one.value or len(piece.text) > 2):
                pieces[index] = piece
        return self.assemble(text, path, entries, pieces, chosen)

    def assemble(
        self,
        text: str,
        path: str,
        entries: list[Entry],
        pieces: dict[int, Piece],
        chosen: dict[int, str],
    ) -> Piece:
        """Put fitted children back between the brackets, with the part's own account first."""
        kept = sorted(pieces)
        body = ",".join(entries[index].head + pieces[index].text for index in kept)
        shortened = sum(pieces[index].text != entries[index].value for index in kept)
        is_list = spans.kind(text) == "array"
        inner = [
            part
            for index, one in enumerate(entries)
            for part in (
                pieces[index].parts
                if index in pieces
                else ()  # a record that is left out is its list's loss
                if is_list
                else self.gone(one)
            )
        ]
        parts = tuple(inner)
        if is_list or len(kept) < len(entries):
            own = Part(
                path=path,
                unit="records" if is_list else "members",
                produced=self.first_total(path, len(entries)),
                delivered=len(kept),
                shortened=shortened if is_list else 0,
                left_out=ranges([at for at in range(len(entries)) if at not in pieces]),
                kept=tuple(Kept(record=at, why=chosen[at]) for at in kept if at in chosen),
            )
            parts = (own, *inner)
        return Piece(text=text[0] + body + text[-1], parts=parts)

    def whole(self, text: str, path: str, depth: int) -> tuple[Part, ...]:
        """Return the lists of a value that is kept whole; those inside records are part of them."""
        if depth > DEEPEST or paths.in_a_list(path):
            return ()
        match spans.kind(text):
            case "array":
                count = len(self.entries(text, path))
                total = self.first_total(path, count)
                return (Part(path=path, unit="records", produced=total, delivered=count),)
            case "object":
                return tuple(
                    part
                    for one in self.entries(text, path)
                    for part in self.whole(one.value, one.path, depth + 1)
                )
            case _:
                return ()

    def gone(self, one: Entry) -> tuple[Part, ...]:
        """Return the lists of a member that is left out, with nothing delivered."""
        return tuple(
            replace(
                part, delivered=0, left_out=((0, part.delivered - 1),) if part.delivered else ()
            )
            for part in self.whole(one.value, one.path, 1)
        )

    def first_total(self, path: str, count: int) -> int:
        """Return how many there were before any cut."""
        total = self.prior.parts.get(path)
        return total.produced if total and total.delivered == count else count

    def decoded(self, entries: Sequence[Entry]) -> list[object]:
        """Return the values of entries; none where Python cannot hold them (a hostile depth)."""
        try:
            values = json.loads("[" + ",".join(one.value for one in entries) + "]")
        except (ValueError, RecursionError):
            return []
        return list(values)

    def unusual(self, entries: Sequence[Entry], path: str) -> list[Standout]:
        """Return which children stand out."""
        if path not in self.odd:
            self.odd[path] = standouts(self.decoded(entries))
        return self.odd[path]

    def wants(self, entries: Sequence[Entry], path: str) -> list[int]:
        """Return which children the caller wants."""
        if path not in self.wanted:
            found = [
                index
                for index, one in enumerate(entries)
                if one.path in self.keep.paths or self.keep.leads_to(one.path)
            ]
            if self.keep.looks_inside:
                values = self.decoded(entries)
                found += [at for at, value in enumerate(values) if self.keep.wants(value)]
            self.wanted[path] = found
        return self.wanted[path]

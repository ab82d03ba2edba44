"""Fitting one JSON value into a budget: fair shares for an object, whole records for a list."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ullage.cutter import layers, naive, spans, strings
from ullage.cutter import path as paths
from ullage.cutter.budget import Budget
from ullage.cutter.choose import capped, choose
from ullage.cutter.columns import Columns, columns
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.share import hand_back, level
from ullage.cutter.standout import FEWEST, Standout, standouts
from ullage.cutter.values import Cut, Noticed, Part, left_out

# Containers below this depth are kept whole or emptied, never opened, so that a hostile depth
# costs no stack and bounded time.
DEEPEST = 48
# Below this a document in a string is shortened as text.
LEAST_DOCUMENT = 80
# Room for the notice of a document in a string, when something in it must stay.
NOTICE_INSIDE = 100
NOTICE_KEY = '"_ullage"'


@dataclass(slots=True, kw_only=True)
class Children:
    """The children of a container as texts: `heads` are `"key":` of an object, none for a list.

    `text` is a list as it stands in the source, where all of its items are children.
    """

    path: str
    heads: list[str] | None
    values: list[str]
    text: str | None = None
    sizes: list[int] = field(init=False)
    # Which time a key stands here, where it stands more than once.
    again: dict[int, int] = field(init=False, default_factory=dict)
    places: dict[int, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.heads is not None and len(set(self.heads)) < len(self.heads):
            seen: Counter[str] = Counter()
            for index, head in enumerate(self.heads):
                seen[head] += 1
                if seen[head] > 1:
                    self.again[index] = seen[head]
        self.sizes = list(map(len, self.values))
        if self.heads is not None:
            sizes = zip(self.sizes, map(len, self.heads), strict=True)
            self.sizes = [value + head for value, head in sizes]

    @property
    def is_list(self) -> bool:
        """Whether the container is a list."""
        return self.heads is None

    def head(self, index: int) -> str:
        """Return what stands before a value."""
        return "" if self.heads is None else self.heads[index]

    def table(self) -> Sequence[object] | Columns:
        """Return the children as columns where they are like records, else as Python values."""
        found = columns(self.text, self.values) if self.text and self.values else None
        return self.decoded() if found is None else found

    def decoded(self) -> list[object]:
        """Return the Python values of the children; none where Python cannot hold one of them."""
        return spans.values(self.values) if self.text is None else spans.values_of(self.text)

    def place(self, index: int) -> str:
        """Return the path of a child."""
        if self.heads is None:
            return paths.item(self.path, index)
        place = self.places.get(index)
        if place is None:
            place = paths.member(self.path, self.heads[index][:-1])
            place = f"{place}#{self.again[index]}" if index in self.again else place
            self.places[index] = place
        return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A fitted value, and what became of each part inside it, in document order."""

    text: str
    parts: tuple[Part, ...] = ()


def string_part(path: str, done: strings.Short) -> Part:
    """Return the account of a shortened string."""
    gone = done.characters - done.delivered
    return Part(
        path=path,
        unit="characters",
        produced=done.produced,
        delivered=done.delivered,
        # What was kept of a string are pieces: the last run stands for all that is gone.
        left_out=((done.delivered, done.characters - 1),) if gone else (),
    )


def emptiest(text: str) -> int:
    """Return the length of the smallest form of a value, whatever should stay inside it."""
    match spans.kind(text):
        case "string":
            return strings.least(text)
        case "array" | "object":
            return 2
        case _:
            return len(text)


def odd_ones(inside: Children) -> list[Standout]:
    """Return which children stand out; only where there are enough of them is one decoded."""
    return standouts(inside.table()) if len(inside.values) >= FEWEST else []


CutInner = Callable[[str, Budget, Keep], Cut | None]
"""Cuts the content of a string by the rules of its own format; None where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An object without a list that was left out, and how many containers had been read before."""

    text: str
    at: int


@dataclass(slots=True, kw_only=True)
class Fitter:
    """Fits the values of one document; what it reads is remembered by path for the next attempt."""

    keep: Keep
    prior: Prior
    cut_inner: CutInner | None = None
    nested: bool = False
    noticed: list[Noticed] = field(default_factory=list)
    read: dict[str, Children] = field(default_factory=dict)
    odd: dict[str, list[Standout]] = field(default_factory=dict)
    wanted: dict[str, list[int]] = field(default_factory=dict)
    lost: dict[str, tuple[Part, ...]] = field(default_factory=dict)
    unread: dict[str, Unread] = field(default_factory=dict)

    def children(self, text: str, path: str, opened: spans.Opened | None = None) -> Children:
        """Return the children of a container, which may have been opened before.

        What was opened is used up: of a long list it would take half as much again as its text.
        """
        if path not in self.read:
            if text[0] == "[":
                items = spans.items(text, opened)
                found = Children(path=path, heads=None, values=items, text=text)
            else:
                members = spans.members(text, opened)
                found = Children(
                    path=path,
                    heads=[f"{key}:" for key, _ in members],
                    values=[value for _, value in members],
                )
            if opened is not None:
                opened.clear()
            self.read[path] = found
        return self.read[path]

    def least(self, text: str, place: Callable[[], str]) -> int:
        """Return the length of the smallest form of a value, with what must stay inside it."""
        if self.keep.paths:
            path = place()
            if path in self.keep.paths:
                return len(text)
            if self.keep.leads_to(path) and text[0] in '[{"':
                inside = self.least_with_kept if text[0] != '"' else self.least_document
                return inside(text, path)
        return emptiest(text)

    def least_with_kept(self, text: str, path: str) -> int:
        """Return the length of a container of which only what must stay is left."""
        inside = self.children(text, path)
        sizes = [
            self.least_child(inside, at) + 1
            for at in range(len(inside.values))
            if inside.place(at) in self.keep.paths or self.keep.leads_to(inside.place(at))
        ]
        return 1 + max(sum(sizes), 1)

    def least_document(self, text: str, path: str) -> int:
        """Return the length of a string of whose document only what must stay is left."""
        inner = layers.string_document(text)
        if inner is None:
            return strings.least(text)
        fitter = Fitter(keep=self.keep.inside(path), prior=Prior())
        written = len(text) / len(inner)  # what escapes take is nearly the same everywhere
        return min(len(text), round(fitter.least(inner, lambda: "$") * written) + NOTICE_INSIDE)

    def least_child(self, inside: Children, index: int) -> int:
        """Return the size of the smallest form of a child, what stands before it included."""
        smallest = self.least(inside.values[index], lambda: inside.place(index))
        return len(inside.head(index)) + smallest

    def fit(self, text: str, budget: int, path: str, depth: int = 0) -> Piece | None:
        """Fit a value into `budget`; None where not even its emptiest form fits."""
        if len(text) <= budget:
            return Piece(text=text, parts=self.whole(text, path, depth))
        match spans.kind(text):
            case "string":
                return self.fit_string(text, budget, path)
            case "array" | "object" if budget >= 2:
                inside = self.children(text, path)
                if depth >= DEEPEST:
                    return self.assemble(inside, {}, {}, {})
                return self.fit_children(inside, budget, depth)
            case _:
                return None

    def fit_string(self, text: str, budget: int, path: str) -> Piece | None:
        """Shorten a string literal: by the rules of its content, if that is a document."""
        inner = self.fit_document(text, budget, path)
        if inner is not None:
            return inner
        done = strings.shorten(text, budget)
        return None if done is None else Piece(text=done.text, parts=(string_part(path, done),))

    def fit_document(self, text: str, budget: int, path: str) -> Piece | None:
        """Cut a string that holds a document of its own; None where it does not, or has no room."""
        if self.cut_inner is None or budget < LEAST_DOCUMENT:
            return None
        layer = layers.string_layer(text)
        if layer is None:
            return None

        keep = self.keep.inside(path)

        def within(limit: Budget) -> Cut:
            done = self.cut_inner(layer.inner, limit, keep) if self.cut_inner else None
            return done or naive.prefix(layer.inner, limit)

        done = layers.cut_layer(layer, text, Budget(limit=budget), within)
        self.noticed += [one for one in done.findings if one not in self.noticed]
        return Piece(text=done.text, parts=layers.parts_inside(path, done.account.parts))

    def fit_children(self, inside: Children, budget: int, depth: int) -> Piece:
        """Fit a container: an object's members at a fair share, else the best of its children."""
        if not inside.is_list:
            room = budget - 2 - max(len(inside.values) - 1, 0)
            least = [self.least_child(inside, index) for index in range(len(inside.values))]
            if sum(least) > room and self.keep.paths:
                least = self.kept_first(inside, least, room)
            if sum(least) <= room:
                pieces = self.share_out(inside, least, room, depth)
                order = range(len(inside.values))
                return self.assemble(
                    inside,
                    {at: pieces[at].text for at in order},
                    {at: pieces[at].parts for at in order},
                    {},
                )
        return self.select(inside, budget, depth)

    def kept_first(self, inside: Children, least: list[int], room: int) -> list[int]:
        """Return what each child has at least where all that must stay is larger than the room.

        In the order of the rules each gets what it needs, or what is left of the room; of all
        others there is the emptiest form.
        """
        sizes = [len(inside.head(at)) + emptiest(value) for at, value in enumerate(inside.values)]
        left = room - sum(sizes)
        places = [inside.place(at) for at in range(len(sizes))]
        for rule in self.keep.paths:
            for at, place in enumerate(places):
                if rule == place or paths.is_inside(rule, place):
                    more = max(min(least[at] - sizes[at], left), 0)
                    sizes[at] += more
                    left -= more
        return sizes

    def share_out(
        self, inside: Children, least: list[int], room: int, depth: int
    ) -> dict[int, Piece]:
        """Fit every child: each has its least, and a max-min fair share of the rest."""
        extra = room - sum(least)
        wants = [size - small for size, small in zip(inside.sizes, least, strict=True)]
        share = level(wants, extra)
        pieces: dict[int, Piece] = {}
        order = sorted(range(len(wants)), key=wants.__getitem__)
        for done, index in enumerate(order):
            if wants[index] > share:
                share = extra // (len(order) - done)
            head = len(inside.head(index))
            allowed = least[index] - head + min(wants[index], share)
            piece = self.fit(inside.values[index], allowed, inside.place(index), depth + 1)
            if piece is None:  # its least form is what `least` promised
                raise AssertionError(f"{inside.place(index)} does not fit into its least size")
            pieces[index] = piece
            extra -= head + len(piece.text) - least[index]
        if depth == 0 and not self.nested:  # deeper, each level would double the work of the next
            hand_back(pieces, order, extra, partial(self.larger, inside))
        return pieces

    def larger(self, inside: Children, index: int, before: Piece, extra: int) -> Piece | None:
        """Return a part with more room, if it can use it."""
        value = inside.values[index]
        if extra <= self.smallest(inside, index) or before.text == value:
            return None
        return self.fit(value, len(before.text) + extra, inside.place(index), 1)

    def smallest(self, inside: Children, index: int) -> int:
        """Return what another record of a list takes at least; 0 for what is no list."""
        if inside.values[index][0] != "[":
            return 0
        return min(self.children(inside.values[index], inside.place(index)).sizes, default=0)

    def select(self, inside: Children, budget: int, depth: int) -> Piece:
        """Keep the records that say most, whole where they are not outsized."""
        full = [size + 1 for size in inside.sizes]
        room = budget - 1  # two brackets, and no comma after the last
        if sum(full) <= room:
            chosen, costs = dict.fromkeys(range(len(full)), ""), full
        else:
            costs = capped(full, room, lambda at: min(self.least_child(inside, at) + 1, room))
            chosen = choose(costs, room, wanted=self.wants(inside), unusual=self.unusual(inside))
        texts: dict[int, str] = {}
        parts: dict[int, tuple[Part, ...]] = {}
        for index in sorted(chosen):
            value, allowed = inside.values[index], costs[index] - 1 - len(inside.head(index))
            if len(value) <= allowed and inside.is_list:
                texts[index] = value
                continue
            piece = self.fit(value, allowed, inside.place(index), depth + 1)
            if piece is not None and (piece.text == value or len(piece.text) > 2):
                texts[index], parts[index] = piece.text, piece.parts
        return self.assemble(inside, texts, parts, chosen)

    def assemble(
        self,
        inside: Children,
        texts: dict[int, str],
        parts: dict[int, tuple[Part, ...]],
        chosen: dict[int, str],
    ) -> Piece:
        """Put fitted children back between the brackets, with the part's own account first."""
        count = len(inside.values)
        kept = list(texts)  # in order: both callers fill it so
        if inside.heads is None:
            body = ",".join(texts.values())
            # A record that is left out is its list's loss.
            inner = [part for one in parts.values() for part in one]
        else:
            body = ",".join([inside.heads[at] + text for at, text in texts.items()])
            inner = [
                part
                for at in range(count)
                for part in (parts[at] if at in texts else self.gone(inside, at))
            ]
        if inside.is_list or len(kept) < count:
            own = Part(
                path=inside.path,
                unit="records" if inside.is_list else "members",
                produced=self.prior.first(inside.path, count),
                delivered=len(kept),
                # A record that lost white space only is whole.
                shortened=sum(not all(part.whole for part in one) for one in parts.values())
                if inside.is_list
                else 0,
                left_out=left_out(kept, count),
                kept=chosen if len(kept) < count else {},
            )
            inner = [own, *inner]
        return Piece(text=f"[{body}]" if inside.is_list else f"{{{body}}}", parts=tuple(inner))

    def whole(self, text: str, path: str, depth: int) -> tuple[Part, ...]:
        """Return the lists of a value that is kept whole; those inside records are part of them."""
        if text[0] not in "[{" or depth > DEEPEST or paths.in_a_list(path):
            return ()
        inside = self.children(text, path)
        if inside.is_list:
            count = len(inside.values)
            total = self.prior.first(path, count)
            return (Part(path=path, unit="records", produced=total, delivered=count),)
        return tuple(
            part
            for at, value in enumerate(inside.values)
            if value[0] in "[{"
            for part in self.whole(value, inside.place(at), depth + 1)
        )

    def gone(self, inside: Children, index: int) -> tuple[Part, ...]:
        """Return the lists of a member that is left out, with nothing delivered."""
        if inside.values[index][0] not in "[{":
            return ()
        place = inside.place(index)
        if "[" not in inside.values[index] and place not in self.read:
            self.unread.setdefault(place, Unread(text=inside.values[index], at=len(self.read)))
            return ()
        if place not in self.lost:
            self.lost[place] = tuple(
                replace(part, delivered=0, left_out=left_out((), part.delivered))
                for part in self.whole(inside.values[index], place, 1)
            )
        return self.lost[place]

    def read_so_far(self, words: Collection[str]) -> Iterator[Children]:
        """Yield every container that was read, and the left-out objects that hold one of `words`.

        In the order of the first look at each.
        """
        waiting = deque(
            (one.at, path, one.text)
            for path, one in self.unread.items()
            if any(word in one.text for word in words)
        )
        seen: set[str] = set()
        for at, (path, inside) in enumerate([*self.read.items(), ("", None)]):
            while waiting and waiting[0][0] <= at:
                _, place, text = waiting.popleft()
                closer = Fitter(keep=self.keep, prior=self.prior)
                closer.whole(text, place, 1)
                yield from closer.read.values()
                seen.update(closer.read)
            if inside is not None and path not in seen:
                yield inside

    def unusual(self, inside: Children) -> Sequence[Standout]:
        """Return which children stand out."""
        if inside.path not in self.odd:
            self.odd[inside.path] = odd_ones(inside)
        return self.odd[inside.path]

    def wants(self, inside: Children) -> Sequence[int]:
        """Return which children the caller wants."""
        if not self.keep.paths and not self.keep.looks_inside:
            return ()
        if inside.path not in self.wanted:
            places = [inside.place(at) for at in range(len(inside.values))]
            found = [
                at
                for at, place in enumerate(places)
                if place in self.keep.paths or self.keep.leads_to(place)
            ]
            if self.keep.looks_inside:
                found += self.keep.wanted(inside.decoded())
            self.wanted[inside.path] = found
        return self.wanted[inside.path]

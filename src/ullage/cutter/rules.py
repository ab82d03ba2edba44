"""Which `keep` rules a cut of JSON could not honour, and which nothing in the data fits.

Strings that hold a document are seen through: `$.body|$.rows[3]`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.cutter import layers, spans
from ullage.cutter import path as paths
from ullage.cutter.notice import Prior
from ullage.cutter.tree import LEAST_DOCUMENT, Children, Fitter
from ullage.cutter.values import Part


@dataclass(slots=True, kw_only=True)
class Rules:
    """The rules of one cut against its data; each container is decoded once, when it is asked."""

    fitter: Fitter
    strings: Fitter = field(init=False)
    decoded: dict[str, list[object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # What stands in strings is read apart: the totals in it are not those of this document.
        self.strings = Fitter(keep=self.fitter.keep, prior=Prior())

    def not_kept(self, parts: Sequence[Part]) -> list[str]:
        """Return the rules whose places or records lost something all the same."""
        keep = self.fitter.keep
        if not keep.paths and not keep.looks_inside:
            return []
        lost = {part.path: part for part in parts if not part.whole}
        missing = [place for place in keep.paths if self.is_lost(place, lost)]
        if keep.looks_inside:
            gone = [one for part in lost.values() for one in self.gone(part)]
            missing += keep.fitting(gone)
        return missing

    def not_found(self) -> Iterator[str]:
        """Yield the rules that nothing in the data fits."""
        keep = self.fitter.keep
        if "$" not in self.fitter.read:
            return
        for place in keep.paths:
            if self.reach(place) is None:
                yield place
        if keep.fields:
            read = [*self.fitter.read_so_far([""]), *self.strings.read.values()]
            found = {one for inside in read for one in keep.found(self.values(inside))}
            if len(found) < len(keep.equations):
                found |= {
                    one
                    for inside in read
                    for records in lists_in_strings(inside)
                    for one in keep.found(records)
                }
            yield from (one for one in keep.equations if one not in found)

    def is_lost(self, place: str, lost: Mapping[str, Part]) -> bool:
        """Whether `place` lost something, or is inside what its container or its string lost."""
        if any(place == one or paths.is_inside(one, place) for one in lost):
            return True
        return any(self.is_left_out(place, part) for part in lost.values())

    def is_left_out(self, place: str, part: Part) -> bool:
        """Whether `place` is, or is inside, a child that its container lost."""
        if not paths.is_inside(place, part.path):
            return False
        if part.unit == "characters":  # a document that was shortened as text
            return True
        inside = self.children(part.path)
        gone = (inside.place(at) for at in left_out(part, inside)) if inside else ()
        return any(place == one or paths.is_inside(place, one) for one in gone)

    def gone(self, part: Part) -> list[object]:
        """Return the decoded records that a part lost."""
        inside = self.children(part.path) if part.left_out and part.unit != "characters" else None
        if inside is None:
            return []
        values = self.values(inside)
        return [values[at] for at in left_out(part, inside)] if values else []

    def values(self, inside: Children) -> list[object]:
        """Return the decoded children of a container."""
        if inside.path not in self.decoded:
            self.decoded[inside.path] = inside.decoded()
        return self.decoded[inside.path]

    def children(self, place: str) -> Children | None:
        """Return the children of the container at `place`; None where there is none."""
        for fitter in (self.fitter, self.strings):
            if place in fitter.read:
                return fitter.read[place]
        if place.endswith(paths.inside("")):
            literal = self.reach(place.removesuffix(paths.inside("")))
            return self.through(literal, place) if literal else None
        value = self.reach(place)
        return self.opened(value, place) if value else None

    def reach(self, place: str) -> str | None:
        """Return the text of the value at `place`; what is on the way is read."""
        inside: Children | None = self.fitter.read.get("$")
        while inside is not None:
            here, inside = inside, None
            for at, value in enumerate(here.values):
                path = here.place(at)
                if path == place:
                    return value
                if place == paths.inside(path):
                    return layers.string_document(value) if value[0] == '"' else None
                if paths.is_inside(place, path):
                    inside = self.opened(value, path)
                    break
        return None

    def opened(self, value: str, place: str) -> Children | None:
        """Return the children of a value: a container, or the document in a string."""
        if value[0] in "[{":
            fitter = self.strings if paths.THROUGH in place else self.fitter
            return fitter.children(value, place)
        return self.through(value, paths.inside(place)) if value[0] == '"' else None

    def through(self, literal: str, place: str) -> Children | None:
        """Return the children of the document in a string, whose root is at `place`."""
        if place in self.strings.read:
            return self.strings.read[place]
        inner = layers.string_document(literal)
        return self.strings.children(inner, place) if inner is not None else None


def left_out(part: Part, inside: Children) -> list[int]:
    """Return the indices of the children that a part lost."""
    count = len(inside.values)
    return [at for first, last in part.left_out for at in range(first, min(last, count - 1) + 1)]


def lists_in_strings(inside: Children) -> Iterator[Sequence[object]]:
    """Yield what stands together in the documents that are strings of a container."""
    for value in inside.values:
        if value[0] == '"' and len(value) >= LEAST_DOCUMENT:
            inner = layers.string_document(value)
            yield from together(spans.values([inner])) if inner is not None else ()


def together(values: Sequence[object]) -> Iterator[Sequence[object]]:
    """Yield the children of each container among some values, at any depth."""
    open_ = [values]
    while open_:
        here = open_.pop()
        yield here
        for one in here:
            if isinstance(one, dict):
                open_.append(list(one.values()))
            elif isinstance(one, list):
                open_.append(one)

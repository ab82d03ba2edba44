"""What a tool's own JSON schema says of its arguments, and arguments that fit it. Pure."""

from collections.abc import Iterator, Mapping, Sequence

Schema = Mapping[str, object]

HERE = frozenset(("workdir", "working_directory", "cwd", "directory", "dir_path", "dir"))


def filled(schema: Schema, text: str, *, number: int = 1) -> dict[str, object]:
    """Return arguments with what a schema requires, of the right types."""
    known = members(schema)
    return {name: example(name, known.get(name), text, number=number) for name in required(schema)}


def members(schema: Schema) -> Mapping[str, object]:
    """Return the schemas of an object's members, none where nothing is said of them."""
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def required(schema: Schema) -> Sequence[str]:
    """Return the members that must be there."""
    found = schema.get("required")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def kinds(form: object) -> Iterator[str]:
    """Give the types that a schema allows, Gemini's in capitals too; none where it says nothing."""
    if not isinstance(form, Mapping):
        return
    said = form.get("type")
    yield from (
        str(one).lower() for one in (said if isinstance(said, list) else [said] if said else [])
    )
    for name in ("anyOf", "oneOf"):
        choices = form.get(name)
        for choice in choices if isinstance(choices, list) else []:
            yield from kinds(choice)


def may_be(form: object, kind: str) -> bool:
    """Whether a schema allows a type, also by saying nothing."""
    allowed = frozenset(kinds(form))
    return not allowed or kind in allowed


def example(name: str, form: object, text: str, *, number: int = 1) -> object:
    """Return a value for a member that must be given: what its form names, else of its type."""
    known = form if isinstance(form, Mapping) else {}
    for said in ("const", "default"):
        if said in known:
            return known[said]
    choices = known.get("enum")
    if isinstance(choices, list) and choices:
        return choices[0]
    kind = next((one for one in kinds(form) if one in EMPTY or one in NUMBERS), "string")
    if kind in NUMBERS:
        return within(known, number)
    if kind == "string":
        return "." if name.lower() in HERE else text
    return EMPTY[kind]


def within(form: Schema, number: int) -> object:
    """Return a number that the schema does not forbid, this one where it may be."""
    most, least = form.get("maximum"), form.get("minimum")
    lower = min(number, most) if isinstance(most, int | float) else number
    return max(lower, least) if isinstance(least, int | float) else lower


NUMBERS = frozenset(("integer", "number"))
EMPTY: Mapping[str, object] = {"string": "", "boolean": False, "array": [], "object": {}}

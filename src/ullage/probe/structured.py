"""The smallest JSON that fits what a request says its answer has to be. Pure."""

import json
from collections.abc import Mapping

from ullage.probe.schemas import example, filled, kinds, members
from ullage.wire.members import NOTHING, Object, inside
from ullage.wire.settings import GEMINI_SETTINGS

DEEPEST = 16
"""A schema may hold itself: below this depth nothing is filled in."""


def smallest_json(schema: Object, text: str) -> str:
    """Return an answer that fits a schema; `text` stands where that wants one."""
    return json.dumps(value_of(schema, text))


def schema_of(body: Object) -> Object:
    """Return the schema of the answer, in any provider's place; empty where there is none."""
    config = inside(body, *GEMINI_SETTINGS)
    chat = inside(body, "response_format")
    places = (
        inside(config, "responseSchema", "response_schema"),
        inside(config, "responseJsonSchema", "response_json_schema"),
        inside(inside(chat, "json_schema"), "schema"),
        inside(inside(inside(body, "text"), "format"), "schema"),
        inside(inside(body, "output_config", "output_format"), "schema"),
        inside(inside(inside(body, "output_config"), "format"), "schema"),
    )
    return next((one for one in places if one), NOTHING)


def value_of(
    schema: Object, text: str, *, name: str = "", root: Object = NOTHING, depth: int = 0
) -> object:
    """Return a small value that fits a schema; an object where that says nothing at all."""
    root = root or schema
    known = resolved(schema, root)
    if depth > DEEPEST:
        return None
    if not known and not depth:
        return {}
    choices = [one for key in ("anyOf", "oneOf", "allOf") for one in listed(known.get(key))]
    if choices and not members(known):
        return value_of(choices[0], text, name=name, root=root, depth=depth + 1)
    if "object" in kinds(known) or members(known):
        forms, wanted = members(known), filled(known, text)
        return {
            one: value_of(held(forms.get(one)), text, name=one, root=root, depth=depth + 1)
            for one in wanted
        }
    if "array" in kinds(known):
        return listed_values(known, text, root, depth)
    return example(name, known, text)


def listed_values(schema: Object, text: str, root: Object, depth: int) -> list[object]:
    """Return as many values as a list must have."""
    least = schema.get("minItems")
    count = int(least) if isinstance(least, int | str) and str(least).isdigit() else 0
    one = held(schema.get("items"))
    return [value_of(one, text, root=root, depth=depth + 1) for _ in range(min(count, DEEPEST))]


def resolved(schema: Object, root: Object) -> Object:
    """Return what a schema refers to inside of the whole, itself where it refers to nothing."""
    place = schema.get("$ref")
    if not isinstance(place, str) or not place.startswith("#/"):
        return schema
    found: object = root
    for name in place[2:].split("/"):
        found = held(found).get(name)
    return held(found)


def held(value: object) -> Object:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, Mapping) else NOTHING


def listed(value: object) -> list[Object]:
    """Return the objects of a list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []

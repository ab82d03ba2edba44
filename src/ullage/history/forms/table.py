"""Which form a history is of, by its members."""

from collections.abc import Mapping, Sequence

from ullage.errors import LoadError
from ullage.history.forms import anthropic, gemini, openai_chat, openai_responses
from ullage.history.forms.form import Form, FormName
from ullage.wire.members import Object, objects

# The first that fits: each is told by members that those behind it do not have.
FORMS: Sequence[Form] = (gemini.FORM, openai_responses.FORM, anthropic.FORM, openai_chat.FORM)
BY_NAME: Mapping[FormName, Form] = {form.name: form for form in FORMS}


def form_of(document: object) -> Form:
    """Return the form of a request body, or of a bare list of messages.

    Raises LoadError for anything else: it says what was expected.
    """
    body = as_body(document)
    for form in FORMS:
        if form.fits(body):
            return form
    raise LoadError(
        "no history: expected a list of messages, or a request body with 'messages', 'input' or "
        f"'contents', got an object with {', '.join(map(repr, list(body))) or 'no members'}"
    )


def as_body(document: object) -> Object:
    """Return a bare list of messages as the body that it would be the messages of.

    Raises LoadError for what is neither a list nor an object.
    """
    if isinstance(document, list):
        items = objects(document)
        if any("parts" in one for one in items):
            return {"contents": document}
        if any("type" in one and "role" not in one for one in items):
            return {"input": document}
        return {"messages": document}
    if isinstance(document, Mapping):
        return document
    raise LoadError(f"no history: expected a list or an object, got {type(document).__name__}")

"""Content blocks: lists of texts and other things, as MCP and the model APIs have them."""

from collections.abc import Sequence


def as_blocks(value: object) -> object:
    """Return the text of content blocks that are all texts, put together; else the value itself."""
    alone = text_in(value)
    if alone is not None:
        return alone
    if not isinstance(value, list) or not value:
        return value
    texts = [text_in(one) for one in value]
    return value if None in texts else joined(texts)


def joined(texts: Sequence[str | None]) -> str:
    """Put the texts of blocks together as the model gets them: nothing stands in between."""
    return "".join(text or "" for text in texts)


def text_in(block: object) -> str | None:
    """Return the text of a text block; None for any other."""
    kind, text = (
        (block.get("type"), block.get("text"))
        if isinstance(block, dict)
        else (getattr(block, "type", None), getattr(block, "text", None))
    )
    return text if kind == "text" and isinstance(text, str) else None

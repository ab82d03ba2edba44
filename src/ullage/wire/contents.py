"""The text of a message's content: a string, or blocks of which some are text."""

from ullage.wire.members import objects


def text_of(content: object) -> str:
    """Return the text of a content: a string, or the texts of its blocks joined."""
    if isinstance(content, str):
        return content
    return "".join(text_of(block.get("text")) for block in objects(content))

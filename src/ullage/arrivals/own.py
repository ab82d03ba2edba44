"""The member or element that our own cut adds: a notice, never a record or a field."""

from ullage.arrivals.values import Json

MEMBER = "_ullage"


def take_notice(root: Json) -> list[str]:
    """Remove our own notice from a decoded root, in place; return what it said."""
    if isinstance(root, dict) and isinstance(said := root.get(MEMBER), str):
        del root[MEMBER]
        return [said]
    if isinstance(root, list):
        notices = [text for one in root if (text := notice_element(one)) is not None]
        if notices:
            root[:] = [one for one in root if notice_element(one) is None]
        return notices
    return []


def notice_element(value: Json) -> str | None:
    """Return what a list element says that is nothing but our notice, else None."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(said := value.get(MEMBER), str):
        return said
    return None

"""What a result says about more that it does not hold: page fields, and totals beside a list."""

from ullage.arrivals.values import Json, decode

MORE = ("has_more", "hasMore", "has_next", "hasNext", "truncated", "is_truncated", "isTruncated")
NEXT = (
    "next",
    "next_page",
    "nextPage",
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
)
TOTALS = ("total", "total_count", "totalCount", "total_results", "totalResults")


def says_more(text: str) -> str | None:
    """Return in words what a JSON result says of more, None where it says nothing."""
    try:
        root = decode(text)
    except (ValueError, RecursionError):
        return None
    return more_in(root) if isinstance(root, dict) else None


def more_in(root: dict[str, Json]) -> str | None:
    """Look at the members of the root, and of the objects in it."""
    said = next((name for name in MORE if root.get(name) is True), None)
    if said is not None:
        return f"{said} is true"
    said = next((name for name in NEXT if root.get(name)), None)
    if said is not None:
        return f"it names a {said}"
    longest = max((len(one) for one in root.values() if isinstance(one, list)), default=0)
    for name in TOTALS:
        total = root.get(name)
        if isinstance(total, int) and not isinstance(total, bool) and 0 < longest < total:
            return f"{name} is {total} and its list has {longest}"
    inner = (more_in(one) for one in root.values() if isinstance(one, dict))
    return next((one for one in inner if one), None)

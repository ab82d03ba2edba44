"""Names of containers, all of one length, so that no name shortens a listing more than another."""

import random

WORDS = (
    *("auth", "cart", "chat", "docs", "edge", "feed", "file", "geos", "jobs", "logs", "mail"),
    *("maps", "meta", "news", "pays", "peer", "plan", "poll", "push", "rank", "scan", "shop"),
    *("show", "sync", "tags", "task", "team", "test", "text", "tile", "tour", "user", "vote"),
)
COMMS = ("java", "nginx", "java", "postgres", "java", "python3", "java", "redis-server")
"""What runs in containers; half of the loud ones run java too, so that it tells nothing."""


def container_names(rng: random.Random, count: int) -> list[str]:
    """Return different names such as `cart-7f3a`."""
    words = rng.sample(WORDS, count)
    return [f"{word}-{number:04x}" for word, number in zip(words, draws(rng, count), strict=True)]


def draws(rng: random.Random, count: int) -> list[int]:
    """Return different numbers of four hex digits."""
    return rng.sample(range(0x1000, 0x10000), count)

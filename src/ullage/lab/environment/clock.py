"""Times in lines of text: seconds with a fraction, kept as whole nanoseconds."""

NANO = 1_000_000_000
FINEST = 9


def nanoseconds(seconds: str, fraction: str) -> int:
    """Return a time of whole seconds and a fraction of at most nine digits. Raises ValueError."""
    if len(fraction) > FINEST:
        raise ValueError(f"a time has {len(fraction)} digits after the point; nine are nanoseconds")
    return int(seconds) * NANO + int(fraction.ljust(FINEST, "0"))


def shown(time: int) -> str:
    """Return a time in seconds, with six digits as the kernel prints it, with nine if need be."""
    seconds, rest = divmod(time, NANO)
    micro, nano = divmod(rest, 1000)
    return f"{seconds}.{rest:09}" if nano else f"{seconds}.{micro:06}"

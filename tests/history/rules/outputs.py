"""What tools print, made up in their manner."""


def pip_download(size: int = 31) -> str:
    """A download with a bar that is drawn line by line."""
    bars = [
        f"     {'━' * (at // 2)}╺{'━' * (20 - at // 2)} {at * size / 40:.1f}/{size}.0 MB 9.1 MB/s"
        f" eta 0:00:{40 - at:02d}"
        for at in range(1, 41)
    ]
    return "\n".join(
        [
            f"Collecting tidal-maps\n  Downloading tidal_maps-2.4.1.whl ({size} MB)",
            *bars,
            "Installing collected packages: tidal-maps",
            "Successfully installed tidal-maps-2.4.1",
        ]
    )


def satisfied(count: int = 40) -> str:
    """A pip that had nothing to do."""
    lines = [
        f"Requirement already satisfied: pier{at} in /venv/lib (from -r base.txt)"
        for at in range(count)
    ]
    return "\n".join([*lines, "WARNING: pip 31.0 is available; you have 30.2"])


def applied(count: int = 40) -> str:
    """What `kubectl apply` says of many things."""
    words = ("created", "configured", "unchanged")
    return "\n".join(f"deployment.apps/quay-{at} {words[at % 3]}" for at in range(count))


def listing(count: int = 60) -> str:
    """What `ls -l` shows."""
    return "\n".join(
        f"-rw-r--r-- 1 root root {at * 37:>6} Mar  3 10:{at % 60:02d} cargo_{at:03d}.csv"
        for at in range(count)
    )


def build(run: int, *, warning: str = "") -> str:
    """The log of a build, the same each time but for its times."""
    lines = [
        f"12:{run:02d}:{at % 60:02d} [build] linked module part{at} in {at * run % 9 + 1} ms"
        for at in range(60)
    ]
    return "\n".join([*lines, *([warning] if warning else []), f"Finished in {run}.4 s"])


def log(count: int = 400, odd: str = "") -> str:
    """A long log that hardly changes."""
    lines = [
        f"2026-02-03 04:{at // 60 % 60:02d}:{at % 60:02d} INFO crane moved box {at} in {at % 9} s"
        for at in range(count)
    ]
    lines[count // 2 : count // 2] = [odd] if odd else []
    return "\n".join(lines)


def source(lines: int = 60) -> str:
    """A file of code, in which every line is another."""
    words = ("tide", "mast", "keel", "helm", "buoy", "dock", "sail")
    return "\n".join(
        f"def {words[at % 7]}_{words[at // 7 % 7]}(v{at}): return {words[at * 3 % 7]}[{at}] + v{at}"
        for at in range(lines)
    )

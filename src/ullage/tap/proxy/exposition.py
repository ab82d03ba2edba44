"""Metrics as the text that Prometheus reads (exposition format 0.0.4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.tap.proxy.meters import BOUNDS, Histogram

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Kind = Literal["counter", "gauge", "histogram"]
Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric: its name, what it tells, and its values by their labels."""

    name: str
    kind: Kind
    help: str
    values: Sequence[tuple[Labels, float]] = ()
    histogram: Histogram | None = None


def exposition(metrics: Iterable[Metric]) -> str:
    """Write metrics, one after the other."""
    return "".join(f"{line}\n" for metric in metrics for line in lines(metric))


def lines(metric: Metric) -> Iterator[str]:
    """Give the lines of one metric."""
    yield f"# HELP {metric.name} {metric.help}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for labels, value in metric.values:
        yield f"{metric.name}{braces(labels)} {number(value)}"
    if metric.histogram is not None:
        yield from buckets(metric.name, metric.histogram)


def buckets(name: str, histogram: Histogram) -> Iterator[str]:
    """Give the lines of a histogram, whose buckets hold all that lies below their bound."""
    below = 0
    for bound, count in zip(BOUNDS, histogram.counts[:-1], strict=True):
        below += count
        yield f'{name}_bucket{{le="{bound!r}"}} {below}'
    total = sum(histogram.counts)
    yield f'{name}_bucket{{le="+Inf"}} {total}'
    yield f"{name}_sum {number(histogram.sum)}"
    yield f"{name}_count {total}"


def braces(labels: Labels) -> str:
    """Write labels; nothing where there are none."""
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{escaped(value)}"' for name, value in labels.items()) + "}"


def escaped(value: str) -> str:
    """Escape what the format gives a meaning; a lone surrogate becomes an escape too."""
    plain = value.encode("utf-8", "backslashreplace").decode()
    return plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def number(value: float) -> str:
    """Write a whole number without a point."""
    return str(int(value)) if value == int(value) else repr(float(value))

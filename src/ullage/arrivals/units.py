"""Measured values in free text: a figure with its unit, however either is spelled."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A value in the base unit of its kind (`s`, `B`, `%`, `row` …), and how it is written."""

    amount: Fraction
    unit: str
    text: str

    @property
    def key(self) -> tuple[Fraction, str]:
        """What makes two measures the same: `1.2 s` is `1200 ms`, `1,204 rows` is `1204 rows`."""
        return self.amount, self.unit


# Base unit → its spellings, each with how many of the base it is. A space allows none as well.
_SCALED: Mapping[str, Mapping[str, str]] = {
    "s": {
        "1/1000000000": "ns nanosecond nanoseconds 纳秒",
        "1/1000000": "us µs μs microsecond microseconds 微秒",
        "1/1000": "ms msec msecs millis millisecond milliseconds millisekunden 毫秒 ミリ秒",
        "1": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒",
        "60": "min mins minute minutes minuten minuto minutos 分钟 分",
        "3600": "h hr hrs hour hours stunde stunden heure heures hora horas 小时 時間",
        "86400": "d day days tag tage tagen jour jours día días 天 日間",
        "604800": "week weeks woche wochen semaine semaines semana semanas 周",
    },
    "B": {
        "1": "b byte bytes octets 字节 バイト",
        "1000": "kb kilobyte kilobytes",
        "1000000": "mb megabyte megabytes",
        "1000000000": "gb gigabyte gigabytes",
        "1000000000000": "tb terabyte terabytes",
        "1024": "kib",
        "1048576": "mib",
        "1073741824": "gib",
        "1099511627776": "tib",
    },
    "Hz": {"1": "hz", "1000": "khz", "1000000": "mhz", "1000000000": "ghz"},
    "bit": {"1": "bit bits", "1000": "kbit", "1000000": "mbit", "1000000000": "gbit"},
    "m": {"1/1000": "mm", "1/100": "cm", "1": "m meter meters metre metres", "1000": "km"},
    "g": {"1/1000": "mg", "1": "g gram grams", "1000": "kg"},
    "W": {"1/1000": "mw", "1": "w watt watts", "1000": "kw"},
    "V": {"1/1000": "mv", "1": "v volt volts"},
    "%": {"1": "% \uff05 percent prozent pct"},
    "‰": {"1": "‰"},
    "EUR": {"1": "€ eur euro euros"},
    "USD": {"1": "usd dollar dollars"},
    "GBP": {"1": "£ gbp"},
    "JPY": {"1": "¥ jpy yen 円"},
    "CNY": {"1": "cny rmb 元"},
    "°C": {"1": "°c"},
    "°F": {"1": "°f"},
    "px": {"1": "px pixel pixels"},
    "dB": {"1": "db"},
    "op/s": {"1": "rps qps tps iops fps ops/s"},
}
# What is counted rather than measured: singular → its spellings.
_COUNTED = (
    "row rows zeile zeilen ligne lignes fila filas|line lines 行|record records datensätze|"
    "request requests req reqs anfragen 请求|query queries|call calls|token tokens|"
    "char chars character characters zeichen 字符 文字|word words|file files dateien 文件|"
    "test tests|case cases|error errors fehler 错误|warning warnings|failure failures|"
    "item items|event events|message messages|job jobs|task tasks|user users|order orders|"
    "commit commits|retry retries|attempt attempts|worker workers|thread threads|process processes|"
    "core cores|node nodes|page pages|step steps|epoch epochs|sample samples|iteration iterations|"
    "op ops operation operations|packet packets|connection connections|byte/s|frame frames|"
    "entry entries|object objects|document documents|result results|hit hits|miss misses|"
    "pass passes|x times"
)


def _units() -> dict[str, tuple[str, Fraction]]:
    """Return every spelling with its base unit and its factor."""
    scaled = {
        spelling: (base, Fraction(factor))
        for base, factors in _SCALED.items()
        for factor, spellings in factors.items()
        for spelling in spellings.split()
    }
    counted = {
        spelling: (group.split()[0], Fraction(1))
        for group in _COUNTED.split("|")
        for spelling in group.split()
    }
    return counted | scaled


# A letter behind a space is seldom a unit: "plan 3 b", "question 4 d".
_ATTACHED = frozenset("bdgmvwx")
UNITS: Mapping[str, tuple[str, Fraction]] = _units()
_PER = r"(?:\s*/\s*|\s+per\s+|\s+pro\s+|\s+par\s+|\s+por\s+)"
_SPELLINGS = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_FIGURE = r"\d{1,3}(?:[,_'\u2019\u00a0\u202f ]\d{3}){1,9}(?:\.\d{1,30})?|\d{1,30}(?:[.,]\d{1,30})?"
_MEASURE = re.compile(
    rf"(?<![\w.,/#-])(?<!\d:)(?P<minus>[-\u2212](?=\d))?(?P<figure>{_FIGURE})"
    rf"(?P<gap>[ \t\u00a0\u202f]?)(?P<unit>{_SPELLINGS})(?![^\W\d_]|\d)"
    rf"(?:{_PER}(?P<per>{_SPELLINGS})(?![^\W\d_]|\d))?",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"(?P<sign>[$€£¥])[ ]?(?P<figure>{_FIGURE})(?![\w%])")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_THOUSANDS = re.compile(r"[,_'\u2019\u00a0\u202f ](?=\d{3}(?!\d))")


def measures(text: str) -> Iterator[Measure]:
    """Yield every measured value of a text, in no particular order."""
    for match in _MEASURE.finditer(text):
        if match["gap"] and match["unit"].casefold() in _ATTACHED:
            continue
        base, factor = UNITS[match["unit"].casefold()]
        per = ""
        if match["per"]:
            below, below_factor = UNITS[match["per"].casefold()]
            per, factor = f"/{below}", factor / below_factor
        amount = figure(match["figure"]) * factor * (-1 if match["minus"] else 1)
        unit = "op/s" if (base, per) == ("op", "/s") else base + per
        yield Measure(amount=amount, unit=unit, text=match[0])
    for match in _MONEY.finditer(text):
        yield Measure(amount=figure(match["figure"]), unit=_SIGNS[match["sign"]], text=match[0])


def figure(text: str) -> Fraction:
    """Read a figure: groups of three digits are thousands, any other comma is a decimal one."""
    return Fraction(Decimal(_THOUSANDS.sub("", text).replace(",", ".")))

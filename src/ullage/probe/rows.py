"""The records of a payload: fields that look like real ones, and words that fill them up."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

Part = str
"""The path of a part: `$.early_list` or `$.late_list`."""

EARLY: Part = "$.early_list"
LATE: Part = "$.late_list"


def vocabulary(words: str) -> tuple[str, ...]:
    """Return the words of a list of them."""
    return tuple(words.split())


SERVICES = ("api", "cache", "billing", "search", "queue", "worker", "ledger", "gateway")
STATES = ("running", "idle", "stopped", "failed", "waiting")
WIDE_STATES = ("运行", "空闲", "停止", "сбой", "ожидание")
WORDS = vocabulary(
    "after backlog batch before branch broker buffer build bundle carrier checked closed cluster "
    "column commit delayed deploy depot disk drained empty export failed feed filter freight "
    "grown handler harbour heap import index invoice journal kernel leader load local manual "
    "merged mirror moved nightly node order packet pallet parcel patch pending planned pump quota "
    "rate region report restart retried route sample sealed shard signal slow socket stable stock "
    "storage stream swapped table tariff thread timer token tracked upload valve vendor version "
    "volume warm weekly worker yard zone"
)
# All within the Basic Multilingual Plane, so that a limit in UTF-16 units is one in characters.
WIDE_WORDS = vocabulary(
    "仓库 订单 货物 报告 机器 时间 数据 节点 线路 港口 порт склад заказ груз отчёт сбой узел "
    "время очередь поток λιμάνι φορτίο παραγγελία αποθήκη κόμβος ώρα σταθμός ροή 倉庫 注文 荷物 "
    "報告 機械 時刻 回線 港湾 창고 주문 화물 보고 기계 시간 회선 항구"
)

BEGIN = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
BLOCK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record but for the words that fill it up; `part` is the list that it belongs to."""

    id: str
    part: Part
    host: str
    at: str
    ms: int
    cpu: float
    state: str


LONGEST = Row(
    id="row-" + 12 * "0",
    part=EARLY,
    host=f"{max(SERVICES, key=len)}-00",
    at="2026-03-02T06:00:00Z",
    ms=10_000,
    cpu=0.111,
    state=max(STATES, key=len),
)
"""No record is longer than this one without its words."""


def row(identity: str, part: Part, index: int, *, wide: bool) -> Row:
    """Make the record of an id; its fields follow from the id, its time from its place."""
    digest = hashlib.blake2b(identity.encode(), digest_size=8).digest()
    at = BEGIN + timedelta(seconds=17 * index + digest[0] % 17)
    return Row(
        id=identity,
        part=part,
        host=f"{SERVICES[digest[1] % len(SERVICES)]}-{digest[2] % 100:02d}",
        at=f"{at:%Y-%m-%dT%H:%M:%SZ}",
        ms=10_000 + int.from_bytes(digest[3:6]) % 90_000,
        # Three digits that end in no zero: every record has the same length but for its words.
        cpu=(101 + 10 * (int.from_bytes(digest[5:7]) % 90) + digest[7] % 9) / 1000,
        state=(WIDE_STATES if wide else STATES)[digest[6] % len(STATES)],
    )


def words(identity: str, length: int, *, wide: bool) -> str:
    """Return exactly `length` characters of words that belong to an id, no space at either end."""
    known = WIDE_WORDS if wide else WORDS
    found: list[str] = []
    there, block = -1, 0
    while there < length:
        digest = hashlib.blake2b(f"{identity}/{block}".encode(), digest_size=BLOCK).digest()
        chosen = [known[byte % len(known)] for byte in digest]
        found += chosen
        there += sum(map(len, chosen)) + len(chosen)
        block += 1
    text = " ".join(found)[:length]
    return text[:-1] + found[0][0] if text.endswith(" ") else text

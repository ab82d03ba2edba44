"""Ten kinds of text that tools return, made from a seed; real prose and code from the library."""

import base64
import json
import pydoc_data.topics
import random
import re
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

CHINESE = [
    "工具返回的结果在送入模型之前被截断，后面的记录没有到达。",
    "日志只保存了送达的文本，因此没有人注意到缺少的部分。",
    "每一条记录都应当完整保留，或者明确说明被省略了多少。",
    "摘要丢失了文件路径和参数，下一步只能重新查询。",
    "预算按字符计算时，中文文本的词元数会被严重低估。",
    "请先检查数据库连接，然后重新启动服务并查看最近的错误日志。",
    "昨天下午三点，系统管理员发现磁盘空间不足，备份任务因此失败。",
]
COMMANDS = ["java", "python3", "nginx", "kworker/0:1", "containerd-shim", "postgres", "sshd"]
NOTES = ["ok", 'late "quoted" start', "path C:\\tmp", "容器在 trace 前启动"]
COMPACT = (",", ":")


def row(rng: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "container": f"{rng.getrandbits(48):012x}",
        "comm": rng.choice(COMMANDS),
        "pid": rng.randrange(1, 65536),
        "share": round(rng.uniform(0, 0.14), 5),
        "args": ["--port", str(rng.randrange(1024, 65535))],
        "note": rng.choice(NOTES),
        "tags": {"zone": f"z{rng.randrange(9)}", "up": rng.randrange(2) == 0},
    }


def rows(rng: random.Random, size: int) -> dict[str, Any]:
    count = size // 100 + 2
    made = [row(rng, number) for number in range(count)]
    return {"host": "n1", "ticks": 123456, "early_list": made, "total": count}


def log_line(rng: random.Random) -> str:
    clock = f"{rng.randrange(60):02d}:{rng.randrange(60):02d}.{rng.randrange(1000):03d}"
    return (
        f'2026-11-30T10:{clock}Z level=info pid={rng.randrange(65536)} msg="request done"'
        f" path=/api/v1/orders/{rng.randrange(10**6)} ms={rng.randrange(900)}"
        f" id={rng.getrandbits(64):016x}"
    )


def orders(rng: random.Random, size: int) -> list[dict[str, Any]]:
    return [
        {"编号": n, "容器": f"名字{rng.randrange(999)}", "说明": rng.choice(CHINESE)}
        for n in range(size // 40 + 1)
    ]


@cache
def english() -> str:
    return re.sub(r"[`*:\\]", "", "".join(pydoc_data.topics.topics.values()))


@cache
def code() -> str:
    library = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:40]
    return "".join(path.read_text(encoding="utf-8") for path in library)


def window(text: str, rng: random.Random, size: int) -> str:
    """A stretch of a long text that starts at a line."""
    start = text.index("\n", rng.randrange(len(text) - size - 2000)) + 1
    return text[start : start + size]


def ten_kinds(seed: int, size: int) -> dict[str, str]:
    """One text of `size` characters a kind."""
    rng = random.Random(seed)
    value, chinese = rows(rng, size), orders(rng, size)
    texts = {
        "JSON compact": json.dumps(value, ensure_ascii=False, separators=COMPACT),
        "JSON indent=2": json.dumps(value, indent=2, ensure_ascii=False),
        "JSON \\u-escaped": json.dumps(value["early_list"]),
        "JSON Chinese": json.dumps(chinese, ensure_ascii=False),
        "prose English": window(english(), rng, size),
        "prose Chinese": "".join(rng.choice(CHINESE) for _ in range(size // 20 + 1)),
        "Python code": window(code(), rng, size),
        "logs": "\n".join(log_line(rng) for _ in range(size // 100 + 1)),
        "base64": base64.b64encode(rng.randbytes(size)).decode(),
        "hex": rng.randbytes(size).hex(),
    }
    return {name: text[:size] for name, text in texts.items()}

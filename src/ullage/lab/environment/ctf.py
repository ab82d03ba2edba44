"""Events as a CTF 1.8 recording, as LTTng's kernel tracer writes one: a stream of bytes a CPU.

The format: https://diamon.org/ctf/v1.8.3/. Little-endian, fields packed to bytes, texts ended by
NUL, a comm an array of 16 bytes. The thread (`procname`, `tid`, `pid`) is the stream's event
context, as `lttng add-context` records it. Sizes in packets are bits and include the header.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self
from uuid import UUID

from ullage.lab.environment.ctf_metadata import IDS, metadata
from ullage.lab.environment.event import Event, Value, state_number
from ullage.lab.environment.shapes import FIELDS, Kind

MAGIC = 0xC1FC1FC1
PACKET = 1 << 20
"""No packet is larger than so many bytes."""
COMM = 16
HEADER = struct.Struct("<I16sIQQQQQI")
EVENT = struct.Struct("<IQ")
NUMBERS = {"i32": "<i", "u32": "<I", "u64": "<Q", "i64": "<q"}
PACKERS = {kind: struct.Struct(form).pack for kind, form in NUMBERS.items()}
NO_PID = -1


@dataclass(slots=True, kw_only=True)
class Stream:
    """The packet of one CPU that is being filled, and the file that it goes to."""

    file: BinaryIO
    cpu: int
    body: bytearray = field(default_factory=bytearray)
    begin: int = 0
    end: int = -1


class CtfWriter:
    """Writes events to a folder: `metadata` and `channel0_N` for CPU N.

    A context manager; at most one packet a CPU is held in memory. Times must not go back within a
    CPU. Raises ValueError for an event that LTTng has no shape for here, and for a comm of more
    than 15 bytes.
    """

    def __init__(self, folder: Path, *, uuid: UUID) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "metadata").write_text(metadata(uuid), encoding="utf-8")
        self._folder = folder
        self._uuid = uuid
        self._streams: dict[int, Stream] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        for stream in self._streams.values():
            if error is None:
                self._flush(stream)
            stream.file.close()

    def add(self, event: Event) -> None:
        """Write one event."""
        stream = self._streams.get(event.cpu)
        if stream is None:
            # The file is open for as long as the writer is: __exit__ closes it.
            file = (self._folder / f"channel0_{event.cpu}").open("wb")
            stream = self._streams[event.cpu] = Stream(file=file, cpu=event.cpu)
        if event.time < stream.end:
            raise ValueError(
                f"{event.name} at {event.time} ns on CPU {event.cpu} stands behind one at "
                f"{stream.end} ns; sort events by time"
            )
        packed = pack(event)
        if HEADER.size + len(stream.body) + len(packed) > PACKET:
            self._flush(stream)
        if not stream.body:
            stream.begin = event.time
        stream.body += packed
        stream.end = event.time

    def _flush(self, stream: Stream) -> None:
        size = (HEADER.size + len(stream.body)) * 8
        head = HEADER.pack(
            MAGIC, self._uuid.bytes, 0, stream.begin, stream.end, size, size, 0, stream.cpu
        )
        stream.file.write(head)
        stream.file.write(stream.body)
        stream.body.clear()


def pack(event: Event) -> bytes:
    """Return the bytes of an event. Raises ValueError for one that has no shape in CTF."""
    shape = FIELDS.get(event.name)
    if shape is None or shape.keys() != event.fields.keys():
        expected = "no such event" if shape is None else f"its fields are {', '.join(shape)}"
        raise ValueError(
            f"{event.name} with {', '.join(event.fields)} cannot be written as CTF: {expected}"
        )
    pid = NO_PID if event.pid is None else event.pid
    parts = [EVENT.pack(IDS[event.name], event.time), comm_bytes(event.comm)]
    parts.append(struct.pack("<ii", event.tid, pid))
    parts += packed(shape, event.fields)
    return b"".join(parts)


def packed(shape: Mapping[str, Kind], fields: Mapping[str, Value]) -> list[bytes]:
    """Return the bytes of each field. Raises ValueError for a value that its kind cannot hold."""
    parts = []
    for name, kind in shape.items():
        value = fields[name]
        if kind == "comm":
            parts.append(comm_bytes(str(value)))
        elif kind == "text":
            parts.append(str(value).encode() + b"\0")
        elif kind == "state":
            parts.append(PACKERS["i64"](state_number(str(value))))
        else:
            try:
                parts.append(PACKERS[kind](value))
            except struct.error as error:
                raise ValueError(f"field {name} is {value!r}, but must fit {kind}") from error
    return parts


def comm_bytes(comm: str) -> bytes:
    """Return a comm in its 16 bytes. Raises ValueError for one that does not fit."""
    encoded = comm.encode()
    if len(encoded) >= COMM:
        raise ValueError(f"comm {comm!r} has {len(encoded)} bytes; the kernel keeps {COMM - 1}")
    return encoded.ljust(COMM, b"\0")

"""The members of a zip file, unpacked by what they are packed with, zstd too.

The standard library knows zstd in zip files from 3.14 on only. Nothing is unpacked to more than a
limit: a few bytes can be made to give any number.
"""

import io
import struct
import zipfile
import zlib

from ullage.errors import LoadError
from ullage.ledger.encodings import decoded

MAGIC = b"PK\x03\x04"
STORED, DEFLATED, ZSTD = 0, 8, 93
LOCAL = struct.Struct("<26xHH")
"""The lengths of name and extra field, which end the header that stands before a member."""
LARGEST = 1 << 31
BROKEN = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error, OverflowError)
"""What the standard library raises for an archive that is none, or torn."""


class Archive:
    """A zip file in memory."""

    def __init__(self, data: bytes, name: str) -> None:
        """Read the list of members, which stands at the end."""
        self.data, self.name = data, name
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as found:
                self.members = {one.filename: one for one in found.infolist()}
        except BROKEN as error:
            raise LoadError(f"{name}: not a whole zip file: {error}") from error

    def read(self, member: str) -> bytes:
        """Unpack one member; LoadError where it cannot be."""
        info = self.members.get(member)
        if info is None:
            raise LoadError(f"{self.name}: no {member} in it")
        try:
            name, extra = LOCAL.unpack_from(self.data, info.header_offset)
        except struct.error as error:
            raise LoadError(f"{self.name}: {member} is torn") from error
        begin = info.header_offset + LOCAL.size + name + extra
        packed = self.data[begin : begin + info.compress_size]
        if info.flag_bits & 1 or len(packed) != info.compress_size:
            raise LoadError(f"{self.name}: {member} is encrypted or torn")
        return unpacked(packed, info.compress_type, f"{self.name}: {member}")


def unpacked(packed: bytes, method: int, what: str) -> bytes:
    """Unpack bytes by one of the methods of zip files."""
    if method == STORED:
        return packed
    if method == DEFLATED:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            found = stream.decompress(packed, LARGEST)
        except zlib.error as error:
            raise LoadError(f"{what} cannot be unpacked: {error}") from error
        if not stream.eof:
            raise LoadError(f"{what} is torn, or unpacks to more than {LARGEST} bytes")
        return found
    if method == ZSTD:
        done = decoded(packed, [("content-encoding", "zstd")], largest=LARGEST)
        if done.fault is not None:
            raise LoadError(f"{what} cannot be unpacked: {done.fault}")
        return done.content
    raise LoadError(f"{what} is packed by a method that is not known here: {method}")

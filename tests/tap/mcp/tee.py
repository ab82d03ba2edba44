"""`tee.py FOLDER CMD…`: a pass-through that keeps both directions; standard library only."""

import os
import subprocess
import sys
import threading
from pathlib import Path

folder = Path(sys.argv[1])
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
assert server.stdin is not None
assert server.stdout is not None


def pass_on(source: int, target: int, name: str) -> None:
    with (folder / name).open("wb", buffering=0) as kept:
        while chunk := os.read(source, 65536):
            kept.write(chunk)
            left = memoryview(chunk)
            while left:
                left = left[os.write(target, left) :]
    os.close(target)


threading.Thread(
    target=pass_on, args=(0, os.dup(server.stdin.fileno()), "to-server"), daemon=True
).start()
server.stdin.close()
pass_on(server.stdout.fileno(), 1, "to-client")
sys.exit(server.wait())

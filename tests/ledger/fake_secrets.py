"""Ten kinds of fake secrets, put together at run time so that no file holds one."""

import random
import string
from dataclasses import dataclass

BASE32 = string.ascii_uppercase + "234567"
ALNUM = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Fake:
    """One secret; its first `common` characters are those of every secret of its maker.

    So are its last `end`.
    """

    text: str
    common: int
    end: int = 0

    def pieces(self) -> set[bytes]:
        """Every piece of eight characters of one line that is the secret's own."""
        data = self.text.encode()
        found = {data[at : at + 8] for at in range(self.common, len(data) - self.end - 7)}
        return {piece for piece in found if b"\n" not in piece}


def fakes() -> dict[str, Fake]:
    """New ones each time."""
    rng = random.SystemRandom()

    def word(length: int, letters: str = ALNUM) -> str:
        return "".join(rng.choices(letters, k=length - 3)) + "q7Z"

    def key(prefix: str, length: int, letters: str = ALNUM) -> Fake:
        return Fake(prefix + word(length, letters), len(prefix))

    begin, end = "-----BEGIN PRIVATE " + "KEY-----\n", "\n-----END PRIVATE " + "KEY-----"
    header = "ey" + "J" + word(17)
    return {
        "an OpenAI key": key("sk" + "-proj-", 48),
        "an Anthropic key": key("sk" + "-ant-api03-", 60),
        "an AWS key": Fake("AK" + "IA" + word(16, BASE32).upper(), 4),
        "a Google key": key("AI" + "za", 35),
        "a GitHub token": key("gh" + "p_", 36),
        "a GitLab token": key("glpat" + "-", 20),
        "a Slack token": key("xox" + "b-", 40),
        "a Stripe key": key("sk" + "_live_", 24),
        "a JWT": Fake(f"{header}.ey" + "J" + word(30) + "." + word(40), len(header) + 4),
        "a private key": Fake(
            begin + "\n".join(word(64) for _ in range(3)) + end, len(begin), len(end)
        ),
    }

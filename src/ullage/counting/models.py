"""What vendors have published about their models: the vocabulary and the size of the window.

Read on 2026-11-30. Vocabularies: `tiktoken/model.py` of tiktoken 0.14.0, OpenAI's own table; no
exact vocabulary of Anthropic's or Google's models is public. Windows: the model tables of litellm
1.110.2 (1.60.0 and 1.75.0 for models retired since), which name the vendors' pages as their
sources; for the models at 400,000 the sum of the input and the output limit there, as OpenAI's own
pages have it. A name that is in no table stays unknown.
"""

import re
from collections.abc import Mapping

from ullage.counting.exact import Encoding

READ_ON = "2026-11-30"

ENCODINGS: Mapping[str, Encoding] = {
    "o1": "o200k_base",
    "o3": "o200k_base",
    "o4-mini": "o200k_base",
    "gpt-5": "o200k_base",
    "gpt-4.1": "o200k_base",
    "gpt-4o": "o200k_base",
    "gpt-4": "cl100k_base",
    "gpt-3.5": "cl100k_base",
    "gpt-3.5-turbo": "cl100k_base",
    "gpt-35-turbo": "cl100k_base",
    "davinci-002": "cl100k_base",
    "babbage-002": "cl100k_base",
    "text-embedding-ada-002": "cl100k_base",
    "text-embedding-3-small": "cl100k_base",
    "text-embedding-3-large": "cl100k_base",
}
# In the order in which they are tried. `gpt-oss` has o200k_base and more special tokens, which are
# ordinary text here.
PREFIXES: tuple[tuple[str, Encoding], ...] = (
    ("o1-", "o200k_base"),
    ("o3-", "o200k_base"),
    ("o4-mini-", "o200k_base"),
    ("gpt-5", "o200k_base"),
    ("gpt-4.5-", "o200k_base"),
    ("gpt-4.1-", "o200k_base"),
    ("chatgpt-4o-", "o200k_base"),
    ("gpt-4o-", "o200k_base"),
    ("gpt-4-", "cl100k_base"),
    ("gpt-3.5-turbo-", "cl100k_base"),
    ("gpt-35-turbo-", "cl100k_base"),
    ("gpt-oss-", "o200k_base"),
)

# The size of the window, or the limit of the input where only that is published (Gemini, and
# OpenAI's from 5.6 on).
WINDOWS: Mapping[int, str] = {
    4_097: "gpt-3.5-turbo-0301 gpt-3.5-turbo-0613",
    8_192: "gpt-4",
    16_385: "gpt-3.5-turbo gpt-3.5-turbo-16k",
    32_768: "gpt-4-32k",
    100_000: "claude-2 claude-instant-1 claude-instant-1.2",
    128_000: (
        "gpt-4-turbo gpt-4-turbo-preview gpt-4-0125-preview gpt-4-1106-preview "
        "gpt-4-vision-preview gpt-4-1106-vision-preview gpt-4o gpt-4o-mini chatgpt-4o o1-mini "
        "o1-preview gpt-4.5-preview gpt-5-chat gpt-5.1-chat gpt-5.2-chat gpt-5.3-chat"
    ),
    200_000: (
        "o1 o1-pro o3 o3-mini o3-pro o4-mini claude-2.1 claude-3-opus claude-3-sonnet "
        "claude-3-haiku claude-3-5-sonnet claude-3-5-haiku claude-3-7-sonnet claude-opus-4 "
        "claude-sonnet-4 claude-opus-4-5 claude-sonnet-4-5 claude-haiku-4-5"
    ),
    400_000: (
        "gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5-codex gpt-5.1 gpt-5.1-codex "
        "gpt-5.1-codex-max gpt-5.1-codex-mini gpt-5.2 gpt-5.2-codex gpt-5.2-pro gpt-5.3-codex "
        "gpt-5.4-mini gpt-5.4-nano"
    ),
    922_000: (
        "gpt-5.6 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-astra gpt-6-cyber gpt-6-luna "
        "gpt-6-sol gpt-6.1-sol gpt-6.1-terra"
    ),
    1_000_000: (
        "claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5 "
        "claude-opus-5-5 claude-sonnet-5 claude-sonnet-5-5 claude-haiku-5-5 claude-fable-5 "
        "claude-fable-5-1 claude-mythos-5 claude-mythos-5-1"
    ),
    1_047_576: "gpt-4.1 gpt-4.1-mini gpt-4.1-nano",
    1_048_576: (
        "gemini-1.5-flash gemini-2.0-flash gemini-2.0-flash-lite gemini-2.0-flash-exp "
        "gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite gemini-3-flash-preview "
        "gemini-3.1-pro-preview gemini-3.1-flash-lite "
        "gemini-3.5-flash gemini-3.5-flash-lite gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash"
    ),
    1_050_000: "gpt-5.4 gpt-5.4-pro gpt-5.5 gpt-5.5-pro",
    2_097_152: "gemini-1.5-pro",
}
WINDOW_OF = {name: size for size, names in WINDOWS.items() for name in names.split()}

# One version of a model: claude-opus-4-6-20260205, gpt-4-0613, gemini-1.5-pro-002, gpt-4o-latest.
VERSION = re.compile(r"(?:[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{4}|\d{3})|-latest)$")
# As Bedrock writes it: us.anthropic.claude-opus-4-6-v1:0.
BEDROCK = re.compile(r"^(?:[a-z-]+\.)?anthropic\.(.*?)(?:-v\d+(?::\d+)?)?$")


def encoding_of(model: str) -> Encoding | None:
    """Return the vocabulary of a model, None where none is public or the name is unknown."""
    name = plain_name(model)
    found = ENCODINGS.get(name)
    if found is None:
        found = next((one for prefix, one in PREFIXES if name.startswith(prefix)), None)
    return found


def window_of(model: str) -> int | None:
    """Return the published size of a model's window in tokens, None where it is not known."""
    name = plain_name(model)
    return WINDOW_OF.get(name) or WINDOW_OF.get(VERSION.sub("", name))


def plain_name(model: str) -> str:
    """Return a model's name without a router's prefix, a fine-tuning or a cloud's decoration."""
    name = model.strip().lower().rpartition("/")[2]
    if name.startswith("ft:"):
        name = name.split(":")[1]
    return BEDROCK.sub(r"\1", name)

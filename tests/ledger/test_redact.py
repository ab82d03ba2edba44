import json
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.ledger.known import FEW, Known
from ullage.ledger.redact import decode, encode, header_secrets, marks, redact, redact_headers
from ullage.ledger.shared import Wanted, hashed
from ullage.ledger.spans import mark_of, placeholder

KEY = b"k" * 32
# Put together here, so that nothing in this file has the shape of a key.
RANDOM = "a1B2" * 8
SK = "sk-" + RANDOM
JWT = ".".join("ey" + "J" + RANDOM for _ in range(2)) + "." + RANDOM
BEGIN, END = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
LINE = "MIIb/" * 12 + "\n"


def clean(text: str, known: Known | None = None) -> str:
    return decode(redact(encode(text), key=KEY, known=known or Known()).data)


def knowing(*secrets: str) -> Known:
    return Known().learn(marks(map(encode, secrets), KEY))


def mark(secret: str, *, piece: bool = False) -> str:
    return placeholder(mark_of(secret.encode(), KEY), piece=piece).decode()


@pytest.mark.parametrize(
    "key",
    [
        SK,
        "sk-" + "proj-" + "a_1-B" * 9,
        "sk-" + "ant-api03-" + "x-Y_1" * 9,
        "sk-" + "or-v1-" + "ab12" * 16,
        "sk" + "_live_" + RANDOM,
        "AK" + "IA" + "ABCD1234" * 2,
        "AI" + "za" + RANDOM + "abc",
        *["gh" + kind + "_" + RANDOM for kind in "pousr"],
        "github" + "_pat_" + RANDOM,
        "glpat" + "-" + RANDOM,
        *["xox" + kind + "-" + "123-456-" + RANDOM for kind in "abp"],
        "hf" + "_" + RANDOM,
        "gsk" + "_" + RANDOM,
        JWT,
    ],
)
@pytest.mark.parametrize(
    "around",
    ["{}", "the key is {}.", '"{}"', r"\n{}", r"a\\n{}\\n", "x%3D{}&b", r"\u003d{}", "\x1b[32m{}"],
)
def test_a_key_is_replaced_wherever_it_stands(key: str, around: str) -> None:
    assert clean(around.format(key)) == around.format(mark(key))


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("Bearer ", RANDOM, ""),
        ("authorization: bearer ", RANDOM, "\n"),
        ("Basic ", b64encode(b"user:pass word").decode(), ""),
        ('{"password": "', "hunter2", '"}'),
        ('{"password" : "', "x", '", "n": 1}'),
        ("{'client_secret': '", "it is", "'}"),
        ('{"api_key":"', "zz", '"}'),
        ('{"accessToken":"', "zz", '"}'),
        ('{"secret_access_key":"', "zz", '"}'),
        ('{"token":"', RANDOM, '"}'),
        ("password=", "hunter2", " next"),
        ("password=", "hunter", "&next=1"),
        ("password: ", "hunter2", "\n"),
        ("DB_PASSWORD=", "correcthorse", "\n"),
        ("GITHUB_TOKEN=", "abcd", "\n"),
        ("export OPENAI_API_KEY=", "abcdefgh", "\n"),
        ("--api-key=", "abc12345", " --next"),
        ("<password>", "hunter2", "</password>"),
        ("https://user:", "pw", "@host/path"),
        ("postgres://app:", "s3cr@t", "@db:5432/orders"),
        ("GET /v1/models?key=", "abcDEF123456", "&alt=sse"),
        ("GET /v1?a=1&token=", "abcDEF123456", ""),
        ("GET /v1?api_key=", "zzzz", "&b=1"),
        ("", f"{BEGIN}\n{LINE * 3}{END}", "\nrest"),
    ],
)
def test_a_value_beside_a_telling_word_is_replaced(before: str, secret: str, after: str) -> None:
    assert clean(before + secret + after) == before + mark(secret) + after


def test_cookies_are_replaced() -> None:
    assert clean("Cookie: sid=1; theme=dark\nnext") == "Cookie: " + mark("sid=1; theme=dark") + (
        "\nnext"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"usage": {"prompt_tokens": 12, "total_tokens": 20}, "max_tokens": 4096}',
        '{"token": " the", "logprob": -0.3, "bytes": [32]}, {"token": "12345678"}',
        '{"token": 123456789, "password": null, "secret": {"type": "string"}}',
        '{"next_page_token": "abcDEF123456", "pageToken": "abcDEF123456", "eos_token": "</s>1234"}',
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "container 4f66ad9a0b2e7d3c5b8a1f0e9d8c7b6a5f4e3d2c1b0a99887766554433221100",
        "sha256:" + "ab12" * 16,
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDw==",
        "chatcmpl-9XyZ123456 call_abc123DEF456ghi789 req_011CSHoEeqs5C35K2UUqR7Fy toolu_01A09q90qw",
        "task-1234567890abcdef1234 disk-usage-2024-01-01T00:00:00 sk-toggleable__content-id-12",
        "PWD=/home/user OLDPWD=/tmp pwd: /work",
        "def login(password: str, token: str = '', secret: bytes | None = None) -> None:",
        "client = Client(api_key=os.environ['X'], password=self.password, token=get_token())",
        "run(api_key=api_key, token=token, password=password)",
        "password=${DB_PASSWORD} token=$TOKEN secret=<your secret>",
        "the Bearer authentication scheme; Basic understanding of Basic introduction",
        "GET /browse?key=PROJ-1234 and keyboard: qwerty1; public_key: abc1234",
        "http://localhost:8080/a@b and ssh://git@host/x and 10:30 a@b",
        "secretary: 12345678, tokenizer=cl100k_base, cookies: 3, author: name1234",
        "the secret: keep going. Password: must have 8 characters.",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert clean(text) == text
    inside = json.dumps({"content": text})
    assert clean(inside) == inside


def test_a_value_in_json_inside_json_ends_at_its_own_quote() -> None:
    inner = json.dumps({"password": 'a"b\\', "n": 1})
    middle = json.dumps({"inner": inner})
    outer = json.dumps({"middle": middle, "m": 2})

    found = json.loads(clean(outer))

    assert found["m"] == 2
    value = json.loads(json.loads(found["middle"])["inner"])
    assert value == {"password": mark('a\\"b\\\\'), "n": 1}


def test_a_result_cut_inside_a_password_leaves_the_body_readable() -> None:
    for quote in ("'", '"'):
        body = json.dumps({"content": f"login password={quote}hunt", "next": "it's", "n": 2})

        found = json.loads(clean(body))

        assert "hunt" not in found["content"]
        assert (found["next"], found["n"]) == ("it's", 2)


def test_a_private_key_that_is_cut_off_is_replaced() -> None:
    text = f"{BEGIN}\n{LINE * 2}MIIb"

    assert clean(text) == mark(text)
    assert "MIIb" not in clean(json.dumps({"text": text, "n": 1}))


def test_equal_secrets_get_equal_placeholders_and_others_do_not() -> None:
    found = clean(f"{SK} {SK} {SK}x").split(" ")

    assert found[0] == found[1] != found[2]


def test_another_key_gives_another_placeholder() -> None:
    assert redact(SK.encode(), key=b"x" * 32).data != redact(SK.encode(), key=KEY).data


def test_bytes_that_are_no_text_are_kept_around_a_secret() -> None:
    body = b"\xff\x00\xfe" + SK.encode() + b"\x80\xc3"

    assert redact(body, key=KEY).data == b"\xff\x00\xfe" + mark(SK).encode() + b"\x80\xc3"


def test_headers_are_kept_by_name() -> None:
    found = redact_headers(
        [
            ("Content-Type", "application/json"),
            ("X-Custom", "anything"),
            ("Authorization", "Bearer " + RANDOM),
            ("x-api-key", RANDOM),
            ("openai-api-key", RANDOM),
            ("Set-Cookie", "a=1"),
            ("Set-Cookie", "b=2"),
            ("x-ratelimit-remaining-tokens", "149984"),
            ("anthropic-ratelimit-tokens-reset", "2026-01-01T00:00:00Z"),
            ("openai-processing-ms", "12"),
            ("Via", "a"),
            ("via", "b"),
            ("User-Agent", f"me/1 {SK}"),
        ],
        key=KEY,
    )

    assert found == {
        "content-type": "application/json",
        "x-custom": "[redacted header]",
        "authorization": "[redacted header]",
        "x-api-key": "[redacted header]",
        "openai-api-key": "[redacted header]",
        "set-cookie": "[redacted header]",
        "x-ratelimit-remaining-tokens": "149984",
        "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:00Z",
        "openai-processing-ms": "12",
        "via": "a, b",
        "user-agent": f"me/1 {mark(SK)}",
    }


def test_secrets_are_taken_from_headers() -> None:
    basic = b64encode(b"user:pass word").decode()

    assert header_secrets(
        [
            ("Authorization", "Bearer one"),
            ("X-Api-Key", "two"),
            ("Proxy-Authorization", f"Basic {basic}"),
            ("Cookie", "a=three; b=four"),
            ("Set-Cookie", "c=five; Path=/"),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", "stainless-python-retry"),
        ]
    ) == {b"one", b"two", basic.encode(), b"pass word", b"three", b"four", b"five"}


PLAIN = "k3pT/uNd3r:l0Ck+4nD=kEy9"


@pytest.mark.parametrize("around", ["{}", "see {}!", "\n{}", "é{}é"])
def test_a_known_secret_of_any_shape_is_replaced(around: str) -> None:
    known = knowing(PLAIN)

    assert clean(around.format(PLAIN), known) == around.format(mark(PLAIN))


def test_a_known_secret_is_replaced_in_a_url_and_in_json() -> None:
    secret = 'aX1/b2Y"cZ3&d4W=eV5'
    known = knowing(secret)

    assert clean("?x=aX1%2Fb2Y%22cZ3%26d4W%3DeV5&y", known) == f"?x={mark(secret)}&y"
    assert clean(json.dumps([secret]), known) == json.dumps([mark(secret)])


@given(start=st.integers(0, 24), length=st.integers(8, 32), before=st.text("xyz \n", max_size=9))
def test_every_piece_of_eight_characters_of_a_known_secret_goes(
    start: int, length: int, before: str
) -> None:
    secret = "".join(f"{number:02x}" for number in range(10, 26))
    piece = secret[start : start + length]
    known = knowing(secret)

    found = clean(f"{before}{piece}", known)

    if len(piece) < 8:
        assert found == before + piece
    else:
        name = mark(secret)[1:]
        assert found == before + (f"[{name}" if piece == secret else f"[piece of {name}")


def test_a_piece_splits_no_character_and_no_escape() -> None:
    known = knowing("n3ceSs4iR3é9xK2vQ7")

    for text in ("n3ceSs4iR3ê", "é9xK2vQ7ê", '"\\n3ceSs4iR3"'):
        assert "[piece of" in clean(text, known)
    json.loads(clean('"\\n3ceSs4iR3\\u00e9"', known))


def test_a_secret_of_digits_is_replaced_and_a_number_is_not() -> None:
    known = knowing("1593572864209731")

    assert clean('pin 1593572864209731, "15935728"', known).count("secret:") == 2
    for number in ('{"id": 15935728, "n": [1593572864209731]}', '{"n":91593572864}'):
        assert clean(number, known) == number


def test_a_known_secret_inside_a_placeholder_leaves_the_placeholder() -> None:
    text = clean(SK)
    known = knowing("q8" + text[3:14] + "Zk3W9vB", "q8" + text + "Zk3W9vB")

    assert clean(text, known) == text


def test_secrets_seen_in_a_body_are_worth_learning_and_words_are_not() -> None:
    found = redact(f'{SK} "password": "password", "secret": "hunter2hunter2"'.encode(), key=KEY)

    assert found.seen == {SK.encode(), b"hunter2hunter2"}


@pytest.mark.parametrize("secret", ["my-own-secret-9", "x9/" + RANDOM + "+q/z8"])
@pytest.mark.parametrize("around", ["{}", r"a\n{}, b", '"{}"', "/{}?"])
def test_another_process_recognises_a_secret_by_its_hash(secret: str, around: str) -> None:
    wanted = Wanted(hashed(marks([secret.encode()], KEY), KEY))

    found = wanted.recognise(around.format(secret).encode(), KEY)

    assert found == {secret.encode(): mark_of(secret.encode(), KEY)}


def test_what_only_resembles_a_secret_is_not_recognised() -> None:
    wanted = Wanted(hashed(marks([b"my-own-secret-9", b"short"], KEY), KEY))

    assert wanted.recognise(b"my-own-secret-8 my-own-secret-99 short", KEY) == {}


def test_a_secret_recognised_in_a_url_has_the_placeholder_of_the_secret() -> None:
    wanted = Wanted(hashed(marks([PLAIN.encode()], KEY), KEY))
    known = Known().learn(wanted.recognise(b"?x=k3pT%2FuNd3r%3Al0Ck%2B4nD%3DkEy9&y", KEY))
    assert not known  # none of its words is long enough to be told of

    secret = "x9/" + RANDOM
    wanted = Wanted(hashed(marks([secret.encode()], KEY), KEY))
    text = f"?x=x9%2F{RANDOM}&y"
    known = Known().learn(wanted.recognise(text.encode(), KEY))
    assert clean(text, known) == f"?x={mark(secret)}&y"


PARTS = st.sampled_from(
    [
        SK, RANDOM, RANDOM[:9], PLAIN, "password", "token", "secret", "api_key", "Bearer", "Basic",
        "=", ":", '"', '\\"', "'", "\\", "\\n", "\\u00", " ", "\n", "https://", "@", "?key=", "&",
        "[", "]", "[secret:", "[secret:1a2b3c4d]", "[piece of ", "eyJ", ".", "-", "<", ">", "</",
        "é", BEGIN, END, LINE, "AK" + "IA", "cookie", "pwd", "authorization", "1", "x9",
    ]
)  # fmt: skip


@given(parts=st.lists(PARTS | st.sampled_from(["my-own-word-9", "%41", "_", "2"]), max_size=20))
def test_a_few_weak_secrets_are_found_as_many_are(parts: list[str]) -> None:
    data = encode("".join(parts))
    few = knowing("my-own-word-9", "hunter-of-2-words")
    many = few.learn(marks([b"other-word-%d" % n for n in range(20)], KEY))
    assert len(many.weak) > FEW >= len(few.weak)

    assert few.find(data) == many.find(data)


@given(parts=st.lists(PARTS, max_size=30))
def test_redacting_twice_is_redacting_once(parts: list[str]) -> None:
    known = knowing(PLAIN, RANDOM)
    once = clean("".join(parts), known)

    assert clean(once, known) == once
    assert SK not in once
    assert RANDOM not in once


@given(data=st.binary(max_size=400).map(lambda data: data.translate(None, b"=:>-_ +%")))
def test_bytes_that_assign_nothing_come_back(data: bytes) -> None:
    assert redact(data, key=KEY, known=knowing(RANDOM)).data == data


@given(value=st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["password", "token", "a", "api_key", "note"]) | st.text(max_size=5),
        inner,
        max_size=4,
    ),
    max_leaves=12,
))  # fmt: skip
def test_a_json_body_stays_json(value: object) -> None:
    known = knowing("1593572864209731", PLAIN)
    for ascii_only in (True, False):
        body = json.dumps({"value": value, "nested": json.dumps([value])}, ensure_ascii=ascii_only)
        found = json.loads(decode(redact(encode(body), key=KEY, known=known).data))
        json.loads(found["nested"])

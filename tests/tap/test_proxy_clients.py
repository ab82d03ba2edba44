"""Real clients through the proxy: the openai package, and an upstream with TLS."""

import asyncio
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from tests.tap.proxy_ends import Records, ask, post, proxy_to

from ullage.probe.script import Call, Plan, Turn
from ullage.probe.server import ScriptedModel
from ullage.probe.server import serving as scripted

CALL = Call(name="search", arguments={"query": "Grüße \U0001f9ea", "limit": 50})
PLAN = Plan(turns=(Turn(calls=(CALL, CALL)), Turn(text="There are 50 invoices: Grüße.")))
TOOLS: list[ChatCompletionToolParam] = [
    {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}
]
QUESTION: list[ChatCompletionMessageParam] = [{"role": "user", "content": "How many?"}]
ANSWERED: list[ChatCompletionMessageParam] = [
    *QUESTION,
    {"role": "assistant", "content": "I look."},
]


async def whole(client: AsyncOpenAI) -> list[str]:
    first = await client.chat.completions.create(model="m", messages=QUESTION, tools=TOOLS)
    second = await client.chat.completions.create(model="m", messages=ANSWERED, tools=TOOLS)
    assert second.usage is not None
    assert second.usage.completion_tokens == 8
    calls = first.choices[0].message.tool_calls or []
    names = [call.function.arguments for call in calls if call.type == "function"]
    return [*names, second.choices[0].message.content or ""]


async def streamed(client: AsyncOpenAI) -> list[str]:
    arguments = ["", ""]
    stream = await client.chat.completions.create(
        model="m", messages=QUESTION, tools=TOOLS, stream=True
    )
    async for chunk in stream:
        for call in chunk.choices[0].delta.tool_calls or []:
            assert call.function is not None
            arguments[call.index] += call.function.arguments or ""
    text = ""
    stream = await client.chat.completions.create(
        model="m",
        messages=ANSWERED,
        tools=TOOLS,
        stream=True,
        stream_options={"include_usage": True},
    )
    async for chunk in stream:
        text += "".join(choice.delta.content or "" for choice in chunk.choices)
        if chunk.usage:
            assert chunk.usage.completion_tokens == 8
    return [*arguments, text]


@pytest.mark.parametrize("talk", [whole, streamed])
def test_the_openai_client_talks_to_the_scripted_model_through_the_proxy(
    talk: Callable[[AsyncOpenAI], Awaitable[list[str]]],
) -> None:
    records = Records()

    async def main() -> list[str]:
        async with (
            scripted(ScriptedModel({"T": PLAN})) as url,
            proxy_to(url, records) as proxy,
            AsyncOpenAI(base_url=f"{proxy.url}/run/default/v1", api_key="x") as other,
            AsyncOpenAI(base_url=f"{proxy.url}/run/T/run/T/v1", api_key="x") as client,
        ):
            assert [model.id async for model in other.models.list()] == ["scripted"]
            return await talk(client)

    said = asyncio.run(main())

    assert said == [CALL.arguments_text, CALL.arguments_text, PLAN.turns[1].text]
    assert [record.run for record in records.records] == ["default", "T", "T"]
    assert {record.cohort for record in records.records} == {"scripted"}
    assert {record.error for record in records.records} == {None}
    last = records.records[-1].response_body
    assert last.endswith(b"data: [DONE]\n\n") or last.endswith(b"}")


def test_the_record_is_there_when_a_client_has_read_done_and_stopped() -> None:
    async def main() -> int:
        records = Records()
        async with (
            scripted(ScriptedModel()) as url,
            proxy_to(url, records) as proxy,
            AsyncOpenAI(base_url=f"{proxy.url}/v1", api_key="x") as client,
        ):
            stream = await client.chat.completions.create(model="m", messages=QUESTION, stream=True)
            async for _ in stream:
                pass
            return len(records.records)

    assert asyncio.run(main()) == 1


TLS_SCRIPT = """
import asyncio, sys
from tests.tap.proxy_ends import Records, ask, post, proxy_to

async def main():
    records = Records()
    async with proxy_to(sys.argv[1], records) as proxy:
        answer = await ask(proxy.port, post(b"/x"))
    print(answer.first_line.decode(), records.only.error)

asyncio.run(main())
"""


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate for localhost, its key in the same file."""
    if not shutil.which("openssl"):
        pytest.skip("needs the openssl command to make a certificate")
    made = tmp_path / "cert.pem"
    path = tmp_path / "both.pem"
    words = (
        f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {path} -out {made}"
    )
    subprocess.run(
        ["openssl", *words.split(), "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        capture_output=True,
    )
    with path.open("a", encoding="utf-8") as both:
        both.write(made.read_text(encoding="utf-8"))
    return path


async def over_tls(certificate: Path, ask_it: Callable[[str], Awaitable[str]]) -> str:
    """What `ask_it` returns of an upstream with TLS that has this certificate."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 200 Over TLS\r\nContent-Length: 2\r\n\r\nok")
        writer.close()

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server = await asyncio.start_server(serve, "localhost", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    try:
        return await ask_it(f"https://localhost:{port}")
    finally:
        server.close()


@pytest.mark.slow
@pytest.mark.parametrize("trusted", [True, False])
def test_an_upstream_with_tls_is_relayed_to_if_its_certificate_is_trusted(
    certificate: Path, trusted: bool
) -> None:
    async def ask_it(url: str) -> str:
        # In a process of its own: the trusted certificates are loaded when aiohttp is.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            TLS_SCRIPT,
            url,
            stdout=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env={**os.environ, **({"SSL_CERT_FILE": str(certificate)} if trusted else {})},
        )
        output, _ = await process.communicate()
        return output.decode()

    said = asyncio.run(over_tls(certificate, ask_it))

    if trusted:
        assert said == "HTTP/1.1 200 Over TLS None\n"
    else:
        assert said.startswith("HTTP/1.1 502 Bad Gateway ")
        assert "its certificate is not trusted" in said
        assert "--upstream-ca" in said


@pytest.mark.slow
def test_a_certificate_of_ones_own_is_trusted_if_it_is_named(certificate: Path) -> None:
    async def ask_it(url: str) -> str:
        async with proxy_to(url, Records(), upstream_ca=certificate) as proxy:
            return (await ask(proxy.port, post(b"/x"))).first_line.decode()

    assert asyncio.run(over_tls(certificate, ask_it)) == "HTTP/1.1 200 Over TLS"

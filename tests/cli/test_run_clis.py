"""`ullage run` with programs that have the names of coding CLIs."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def program(folder: Path, name: str, code: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{textwrap.dedent(code)}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def options(tmp_path: Path, **env: str) -> dict[str, Any]:
    (tmp_path / "home").mkdir()
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OPENAI_", "ANTHROPIC_", "ULLAGE_", "GEMINI_", "XDG_"))
    }
    return {
        "cwd": tmp_path,
        "env": {**clean, "HOME": str(tmp_path / "home"), **env},
        "text": True,
    }


def ullage_run(*words: str) -> list[str]:
    return [sys.executable, "-m", "ullage", "run", *words]


def test_what_is_set_reaches_the_cli_and_is_listed(tmp_path: Path, upstream: str) -> None:
    code = (
        "import os, sys\nprint(os.environ['ANTHROPIC_BASE_URL'], os.environ['ENABLE_TOOL_SEARCH'])"
    )
    words = ullage_run("--upstream", upstream, "--", program(tmp_path, "claude", code), "-p", "hi")

    done = subprocess.run(words, capture_output=True, timeout=60, **options(tmp_path))

    assert "/run/" in done.stdout
    assert done.stdout.endswith("/v1 true\n")
    assert f"ANTHROPIC_BASE_URL={done.stdout.split()[0]} -> {upstream} (--upstream)" in done.stderr
    assert "ENABLE_TOOL_SEARCH=true" in done.stderr
    assert "one at an address that is not listed above" in done.stderr


def test_words_that_are_put_in_come_before_its_own(tmp_path: Path, upstream: str) -> None:
    code = "import sys\nprint(sys.argv[1:])"
    words = ullage_run("--upstream", upstream, "--", program(tmp_path, "codex", code), "exec", "hi")

    done = subprocess.run(words, capture_output=True, timeout=60, **options(tmp_path))

    assert done.stdout.startswith("['-c', 'openai_base_url=")
    assert done.stdout.endswith("'exec', 'hi']\n")
    assert "arguments put in: -c 'openai_base_url=" in done.stderr


def test_a_settings_file_is_there_for_the_cli_and_gone_afterwards(
    tmp_path: Path,
    upstream: str,
) -> None:
    code = """
        import json, os
        path = os.environ["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"]
        print(path, os.stat(os.path.dirname(path)).st_mode & 0o77, json.load(open(path)))
    """
    words = ullage_run("--upstream", upstream, "--", program(tmp_path, "gemini", code))

    done = subprocess.run(
        words, capture_output=True, timeout=60, **options(tmp_path, GEMINI_API_KEY="none")
    )

    path, mode, content = done.stdout.split(" ", 2)
    assert mode == "0"
    assert "gemini-api-key" in content
    assert path.startswith(str(tmp_path / "home"))
    assert not Path(path).parent.exists()


def test_ctrl_c_takes_the_settings_file_away_too(tmp_path: Path, upstream: str) -> None:
    code = """
        import os, time
        print(os.environ["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"], flush=True)
        time.sleep(60)
    """
    words = ullage_run("--upstream", upstream, "--", program(tmp_path, "gemini", code))
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options(tmp_path, GEMINI_API_KEY="none"),
    )
    assert process.stdout is not None
    path = Path(process.stdout.readline().strip())
    assert path.exists()
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does
    process.communicate(timeout=30)

    assert not path.parent.exists()


def test_settings_with_secrets_in_them_are_not_printed(tmp_path: Path, upstream: str) -> None:
    secret = "sk-" + "proj-" + "z9" * 20
    inline = {"provider": {"a": {"options": {"baseURL": upstream, "apiKey": secret}}}}
    code = "import os\nassert 'apiKey' in os.environ['OPENCODE_CONFIG_CONTENT']"
    output = tmp_path / "loss.json"
    words = ullage_run("--output", str(output), "--", program(tmp_path, "opencode", code))

    done = subprocess.run(
        words,
        capture_output=True,
        timeout=60,
        **options(tmp_path, OPENCODE_CONFIG_CONTENT=json.dumps(inline)),
    )

    assert "provider.a.options.baseURL=http://127.0.0.1:" in done.stderr
    assert secret not in done.stderr
    assert secret not in output.read_text(encoding="utf-8")


def test_a_cli_and_its_tapped_server_join_one_run(tmp_path: Path, upstream: str) -> None:
    server = program(
        tmp_path,
        "server",
        """
        import json, sys
        for line in sys.stdin:
            asked = json.loads(line)
            text = json.dumps([{"id": f"row-{n:04}"} for n in range(99)])
            result = {"content": [{"type": "text", "text": text}]}
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
        """,
    )
    cli = program(
        tmp_path,
        "qwen",
        f"""
        import json, os, subprocess, urllib.request
        call = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "list"}}}}
        tapped = ["{sys.executable}", "-m", "ullage", "tap", "--", "{server}"]
        line = json.dumps(call) + "\\n"
        said = subprocess.run(tapped, input=line, capture_output=True, text=True).stdout
        text = json.loads(said)["result"]["content"][0]["text"]
        body = {{"messages": [{{"role": "user", "content": "go"}},
                              {{"role": "tool", "tool_call_id": "c1", "content": text[:500]}}]}}
        url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
        urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(),
                               {{"content-type": "application/json"}})).read()
        """,
    )
    done = subprocess.run(
        ullage_run("--upstream", upstream, "--", cli),
        capture_output=True,
        timeout=60,
        **options(tmp_path),
    )

    assert "produced side is unknown for 0 of 1 tool results" in done.stderr
    assert "error silent-cut · list · boundary budget" in done.stderr

"""`ullage scan` over a folder of an agent's sessions."""

from pathlib import Path

from click.testing import CliRunner
from tests.sources.claude_sessions import Claude, call

from ullage.cli.scan import command


def test_the_files_beside_a_session_are_no_noise(tmp_path: Path) -> None:
    talk = Claude()
    talk.user("Dump it.")
    talk.says(call("c1", "Bash", command="dump"))
    talk.result("c1", "Full output saved to: /x/ses-1/tool-results/c1.txt")
    (tmp_path / "ses-1" / "tool-results").mkdir(parents=True)
    (tmp_path / "ses-1" / "tool-results" / "c1.txt").write_text("all rows", encoding="utf-8")
    (tmp_path / "ses-1.jsonl").write_bytes(talk.data())

    result = CliRunner().invoke(command, [str(tmp_path)], standalone_mode=False)

    assert "passed over" not in result.output
    assert "Read: 1 file, 3 records." in result.output

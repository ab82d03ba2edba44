"""What `load` and `audit` say of wrong use, before anything is read."""

from pathlib import Path

import pytest

from ullage import audit, load


def test_a_source_that_is_none_is_wrong_use_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no source is called 'claude': choose ledger, .*lines"):
        load(tmp_path, source="claude")
    with pytest.raises(ValueError, match="no source is called 'claude'"):
        audit(tmp_path, source="claude")


def test_an_audit_of_no_path_is_no_all_clear(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no path was given"):
        audit(*tmp_path.glob("*.jsonl"))

"""Markdown for the summary of a step."""

import re

from hypothesis import given
from markdown_it import MarkdownIt
from tests.checks.findings import finding
from tests.report.audits import AUDITS, audit

from ullage.checks.suppress import Suppression
from ullage.report.audit import Audit
from ullage.report.markdown import markdown_text

PAGE = """\
## Ullage: 2 findings

- Read: 0 files, 0 records.
- In them: 0 conversations, 0 exchanges, 0 tool results.

### Findings

| severity | check | boundary | tool | findings | where |
| --- | --- | --- | --- | --- | --- |
| error | silent-cut | budget | orders | 2 | sub/logs/a.jsonl:3 and 1 more |

<details><summary>silent-cut · orders: what to do</summary>

Cut by records.

Where: sub/logs/a.jsonl:3, sub/logs/a.jsonl:9

Figures of the first:

```json
{
  "id": "r1"
}
```

</details>
"""


def test_the_page_of_two_like_findings() -> None:
    assert markdown_text(audit(finding(evidence={"id": "r1"}), finding(line=9))) == PAGE


def rendered(text: str) -> str:
    page: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return page


@given(AUDITS)
def test_whatever_was_found_tables_and_folds_stay_whole(one: Audit) -> None:
    page = rendered(markdown_text(one))

    tags = re.findall(r"</?([a-z0-9]+)", page)
    assert set(tags) <= {
        "h2", "h3", "ul", "li", "p", "table", "thead", "tbody", "tr", "th", "td", "details",
        "summary", "pre", "code",
    }  # fmt: skip
    assert page.count("<details>") == page.count("</details>") == page.count("<summary>")
    for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL):
        assert len(re.findall("<t[hd]>", row)) in (5, 6)


def test_what_is_not_new_is_said_and_not_shown() -> None:
    known = audit(finding()).gate.judged[0].fingerprint
    rule = Suppression(check="output-cut", reason="meant | so")
    one = audit(finding(), finding("output-cut"), baseline={known: 1, "f": 2}, suppressions=[rule])

    text = markdown_text(one)

    assert text.startswith("## Ullage: nothing found (and 2 known or suppressed)\n")
    assert "known: 1 (in the baseline" in text
    assert "gone: 2 (" in text
    assert r"suppressed: 1 (meant \| so)" in text
    assert "<details>" not in text


def test_the_checklist_is_a_table_where_it_is_wanted() -> None:
    text = markdown_text(audit(checklist=True))

    assert "| history-trimmed | not observable | 0 follow-up requests |" in text
    assert "history-trimmed" not in markdown_text(audit())


def test_evidence_with_a_fence_in_it_does_not_end_the_fence() -> None:
    page = rendered(markdown_text(audit(finding(evidence={"text": "````\n<b>"}))))

    assert page.count("<pre>") == 1
    assert "<b>" not in page


def test_the_name_of_a_tool_is_shown_as_it_is() -> None:
    page = rendered(markdown_text(audit(finding(tool="list_pods|<all>"))))

    assert "<summary>silent-cut · list_pods|&lt;all&gt;: what to do</summary>" in page
    assert "<td>list_pods|&lt;all&gt;</td>" in page


def test_many_places_are_counted_where_they_are_not_shown() -> None:
    one = audit(*(finding(line=line) for line in range(1, 31)))

    assert "sub/logs/a.jsonl:20 and 10 more" in markdown_text(one)

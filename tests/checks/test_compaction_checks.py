"""What a compaction lost: each check fires on its fault and is silent on what looks like it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.compaction_checks import compaction_findings
from ullage.transcript.message import Message, Role, ToolCall

ROLES: dict[str, Role] = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def messages(*lines: str) -> list[Message]:
    """Messages by lines such as `u: text`."""
    split = (line.split(": ", 1) for line in lines)
    return [Message(role=ROLES[role], text=text) for role, text in split]


def names(pre: Sequence[Message], post: Sequence[Message]) -> list[str]:
    return [one.check for one in compaction_findings(pre, post)]


BILLING = messages(
    "s: You are a repo helper.",
    "u: Please migrate the billing service from MySQL to Postgres. Never touch the production "
    "database, and keep the p95 latency under 120 ms.",
    "a: Created the schema files.",
    "u: Also rename the invoices table to billing_invoices.",
)
REFACTOR = messages(
    "s: Always cite the file. Do not use tabs.",
    "u: I want to refactor the payment module. Split PaymentService into Charge and Refund "
    "services. Don't change the public REST API. All new code must have unit tests.",
    "a: Extracted ChargeService from PaymentService. Wrote unit tests for ChargeService.",
    "u: Looks good. Use dependency injection instead of the static singletons, and stay within "
    "the 2000 line limit of the review tool.",
    "a: Replaced the singletons in ChargeService.",
)
CLEAN = {
    "in other words": (
        BILLING,
        "u: Summary: the user wants the billing service migrated from MySQL to Postgres; prod DB "
        "is off limits; p95 must stay below 120ms. Schema files exist. Latest request: the "
        "invoices table should be renamed to billing_invoices.",
    ),
    "a long summary in sections": (
        REFACTOR,
        "u: This session is being continued. The conversation is summarized below:\n"
        "1. Primary Request: refactor the payment module, splitting PaymentService into "
        "ChargeService and RefundService, with the public REST API unchanged and unit tests for "
        "all new code. Dependency injection rather than static singletons, within the limit of "
        "2000 lines.\n2. Completed: ChargeService extracted, its unit tests written.\n"
        "3. Pending Tasks:\n   - Extract RefundService\n   - Write unit tests for RefundService\n"
        "4. Files must be cited; do not use tabs.",
    ),
    "German": (
        messages(
            "u: Bitte übersetze die Hilfetexte. Ändere auf keinen Fall die "
            "Platzhalter in Klammern.",
            "a: Die ersten zehn Texte sind fertig.",
            "u: Mach mit den Fehlermeldungen weiter, höchstens 80 Zeichen pro Zeile.",
        ),
        "u: Zusammenfassung: Hilfetexte übersetzen, Platzhalter in Klammern bleiben unverändert. "
        "Zehn Texte fertig. Jetzt die Fehlermeldungen, Zeilen bis 80 Zeichen.",
    ),
    "Portuguese": (
        messages(
            "u: Escreve um script de backup da pasta fotos. Nunca apagues ficheiros originais.",
            "a: Script criado.",
            "u: Agora comprime o backup em zip e envia para o servidor beta.",
        ),
        "u: Resumo: script de backup da pasta fotos criado, sem apagar ficheiros originais. "
        "Pedido: comprimir em zip e enviar para o servidor beta.",
    ),
    "figures and bans said otherwise": (
        messages(
            "u: Draft a lease. The rent is 980 euros, the deposit must not exceed 3 monthly rents, "
            "and pets are forbidden.",
            "a: Drafted sections 1 to 4.",
            "u: Add a clause on subletting: only with written consent.",
        ),
        "u: Lease drafted (sections 1-4). Rent EUR 980; deposit capped at three months' rent; no "
        "pets. Next: clause on subletting (written consent required).",
    ),
    "Chinese": (
        messages(
            "u: 请把登录页面改成深色主题,不要修改后端接口。",
            "a: 已完成登录页面的配色。",
            "u: 现在给注册页面也加上深色主题,最多用3种颜色。",
        ),
        "u: 摘要:用户要求登录页面深色主题(已完成),后端接口不要修改;"
        "当前任务:注册页面加上深色主题,颜色最多3种。",
    ),
    "a summary in another language": (
        messages("u: Übersetze die Hilfetexte.", "a: Fertig.", "u: Nimm jetzt die Meldungen dazu."),
        "u: Summary: the user asked for the help texts to be translated, and then the messages.",
    ),
    "numbers as words": (
        messages(
            "u: Write the uploader. Use at most 3 retries.", "u: Add logging to the uploader."
        ),
        "u: User wants an uploader with three retries at most, and logging added to it.",
    ),
    "a long paste": (
        messages(
            "u: Set up CI.",
            "a: Set up CI with three jobs.",
            "u: The nightly job fails, please fix it:\n```\n"
            + "Trace in foo KeyError\n" * 30
            + "```",
        ),
        "u: CI with three jobs is done. The nightly job fails with a KeyError; a fix is needed.",
    ),
    "thanks are no instruction": (
        messages("u: Rename module foo to bar.", "a: Renamed module foo.", "u: Great, thanks!"),
        "u: Summary: module foo renamed to bar.",
    ),
    "what always happens is no rule": (
        messages("u: The importer always crashes and I never see a log. It must be the encoding."),
        "u: User reports the importer crashing without a log and suspects the encoding.",
    ),
    "an answered question is no task": (
        messages("u: What is the capital of France?", "a: Paris.", "u: Write a poem about autumn."),
        "u: The user wants a poem about autumn.",
    ),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_complete_summary_in_other_words_is_left_alone(name: str) -> None:
    pre, summary = CLEAN[name]

    assert names(pre, messages(summary)) == []


def test_the_newest_instruction_that_is_gone_is_reported_with_its_text() -> None:
    post = messages("u: Summary: billing service goes from MySQL to Postgres, never touch the "
                    "production database, p95 under 120 ms.")  # fmt: skip

    (found,) = compaction_findings(BILLING, post)

    assert (found.check, found.boundary, found.severity) == (
        "instruction-lost",
        "summarise",
        "error",
    )
    assert found.evidence["instruction"] == BILLING[3].text
    assert (found.evidence["message"], found.evidence["gone"]) == (3, True)


def test_an_instruction_that_stands_behind_the_summary_is_kept() -> None:
    post = messages("u: <history_summary>Earlier work on billing.</history_summary>")

    assert "instruction-lost" not in names(BILLING, [*post, BILLING[3]])


FIXTURES = messages(
    "u: Clean up the repo.",
    "a: Removed the build folder.",
    "u: Now delete the temp files but do not delete the fixtures.",
)


def test_a_prohibition_that_is_turned_round_is_reported_once() -> None:
    post = messages("u: Clean up the repo. Next: delete the temp files and the fixtures.")

    (found,) = compaction_findings(FIXTURES, post)

    assert found.check == "instruction-lost"
    assert found.evidence["gone"] is False
    assert found.evidence["inverted"] == {
        "forbidden": "do not delete the fixtures",
        "now": "Next: delete the temp files and the fixtures.",
    }


@pytest.mark.parametrize(
    "kept",
    [
        "Delete the temp files, not the fixtures.",
        "The user wants the temp files deleted; the fixtures must stay.",
        "Delete the temp files. Leave the fixtures as they are.",
        "Should delete temp files; never delete the fixtures.",
    ],
)
def test_a_prohibition_that_is_kept_in_any_words_is_left_alone(kept: str) -> None:
    assert names(FIXTURES, messages(f"u: Clean up the repo. {kept}")) == []


def test_each_rule_that_is_gone_is_reported_with_its_text() -> None:
    post = messages("u: Refactor the payment module, splitting PaymentService into ChargeService "
                    "and RefundService; dependency injection instead of static singletons. "
                    "Public REST API unchanged; always cite the file.")  # fmt: skip

    found = compaction_findings(REFACTOR, post)

    assert [(one.check, one.evidence["role"], one.evidence["constraint"]) for one in found] == [
        ("constraint-lost", "system", "Do not use tabs."),
        ("constraint-lost", "user", "All new code must have unit tests."),
        (
            "constraint-lost",
            "user",
            "Use dependency injection instead of the static singletons, and stay within the 2000 "
            "line limit of the review tool.",
        ),
    ]


def test_a_changed_number_is_a_lost_constraint() -> None:
    pre = messages(
        "u: Write the uploader. Use at most 3 retries.", "u: Add logging to the uploader."
    )

    assert names(pre, messages("u: An uploader with at most 5 retries, and logging for it.")) == [
        "constraint-lost"
    ]


def test_a_system_text_that_stays_keeps_its_rules() -> None:
    post = [
        REFACTOR[0],
        *messages("u: " + CLEAN["a long summary in sections"][1].split(": ", 1)[1]),
    ]

    assert names(REFACTOR, post) == []


SHIPPED = messages(
    "u: Write the changelog and publish version 2.1.",
    "a: Wrote the changelog for version 2.1. Published version 2.1 to the registry.",
    "u: Now start a blog post about the new search.",
)


@pytest.mark.parametrize(
    "again",
    [
        "TODO: publish version 2.1 to the registry, then write the blog post about search.",
        "Next steps:\n- Publish version 2.1 to the registry\n- Blog post about the new search",
        "Blog post about the new search:\n- [ ] Write the changelog for version 2.1",
    ],
)
def test_a_finished_step_that_is_next_again_is_reported(again: str) -> None:
    post = messages(f"u: Changelog and version 2.1; now a blog post on the new search.\n{again}")

    (found,) = compaction_findings(SHIPPED, post)

    assert found.check == "finished-step-repeated"
    assert set(found.evidence) == {"next", "done"}


@pytest.mark.parametrize(
    "other",
    [
        "Done: published version 2.1 to the registry. Next: write the blog post.",
        "Next steps:\n- Publish version 2.2 to the registry",
        "Next: do not publish version 2.1 to the registry again.",
        "Next: verify that version 2.1 is in the registry.",
        "Next steps:\n- [x] Publish version 2.1 to the registry\n- Write the blog post",
    ],
)
def test_another_step_and_a_step_told_as_done_are_left_alone(other: str) -> None:
    post = messages(f"u: Changelog and version 2.1; now a blog post on the new search.\n{other}")

    assert names(SHIPPED, post) == []


def test_a_step_that_the_user_asked_for_again_is_left_alone() -> None:
    pre = [
        *SHIPPED[:2],
        *messages("u: The upload was broken: publish version 2.1 to the registry."),
    ]

    assert names(pre, messages("u: Next: publish version 2.1 to the registry.")) == []


def test_the_only_task_that_is_gone_is_reported() -> None:
    pre = messages("u: Find all customers in Lyon who bought 3 bicycles and write their ids out.")

    (found,) = compaction_findings(pre, messages("u: Summary: the database has an orders table."))

    assert found.check == "task-lost"
    assert found.evidence == {"task": pre[0].text, "message": 0}


def test_a_task_that_a_tool_result_repeats_is_gone_all_the_same() -> None:
    pre = messages("u: Find all customers in Lyon who bought 3 bicycles.")
    post = messages("u: Summary: there is an orders table.", "t: customers Lyon bought bicycles 3")

    assert names(pre, post) == ["task-lost"]


def test_a_list_of_what_is_to_be_done_may_stand_in_a_call() -> None:
    pre = messages("u: Find all customers in Lyon who bought 3 bicycles.")
    call = ToolCall(call_id="1", name="todo", arguments='["find customers in Lyon, 3 bicycles"]')

    assert names(pre, [Message(role="assistant", text="", calls=(call,))]) == []


def test_what_a_harness_adds_is_nobody_s_instruction() -> None:
    reminder = (
        "u: <system-reminder>Hint. Never mention the todo tool to a person.</system-reminder>"
    )

    assert names([*BILLING, *messages(reminder)], messages(CLEAN["in other words"][1])) == []


MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(list(ROLES.values())),
        text=st.text(st.sampled_from("abc \n.?!:-[]x0never must not do next `<>"), max_size=60),
    ),
    max_size=6,
)


@given(MESSAGES)
def test_a_history_that_stays_as_it_is_has_lost_nothing(history: list[Message]) -> None:
    lost = {"task-lost", "constraint-lost"}

    assert lost.isdisjoint(names(history, history))


@given(MESSAGES, MESSAGES)
def test_any_two_histories_can_be_compared(pre: list[Message], post: list[Message]) -> None:
    for one in compaction_findings(pre, post):
        assert one.advice
        assert one.boundary == "summarise"

"""A payload goes whole into the newest message, in the words of each provider."""

import json

import pytest

from ullage.history.current import LargeDataWarning, with_data

ORDERS = [{"id": f"ord-{number}", "total": number * 3} for number in range(50)]
OLD = {"role": "user", "content": "Hello."}


@pytest.mark.parametrize("form", ["openai-chat", "openai-responses", "anthropic", "gemini"])
def test_all_data_stands_in_the_newest_message_before_the_instruction(form: str) -> None:
    messages = with_data([OLD], ORDERS, "Analyse every order.", form=form)

    assert messages[0] is OLD
    assert messages[-1]["role"] == "user"
    text = json.dumps(messages[-1])
    assert all(f"ord-{number}" in text for number in range(50))
    assert text.index("ord-49") < text.index("Analyse every order.")


def test_a_text_is_put_in_as_it_is() -> None:
    data = "id,total\n1,3\n"

    assert with_data([], data, "Sum it.") == [{"role": "user", "content": f"{data}\n\nSum it."}]


def test_data_over_forty_percent_of_the_usable_budget_is_said() -> None:
    with pytest.warns(LargeDataWarning, match=r"of 900 usable tokens .* read_in_chunks\(\)"):
        with_data([], ORDERS, "Analyse.", budget=1_400, reserve=500)


def test_data_that_leaves_room_is_put_in_without_a_word(recwarn: pytest.WarningsRecorder) -> None:
    with_data([], ORDERS, "Analyse.", budget=64_000, reserve=4_096)

    assert len(recwarn) == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"form": "chat"}, "form must be one of"),
        ({"budget": 10, "reserve": 10}, "leaves nothing"),
        ({"instruction": " "}, "instruction is empty"),
    ],
)
def test_wrong_use_is_refused(more: dict[str, object], says: str) -> None:
    given = {"instruction": "Sum it.", **more}

    with pytest.raises(ValueError, match=says):
        with_data([], "1", **given)  # type: ignore[arg-type]  # as they are given

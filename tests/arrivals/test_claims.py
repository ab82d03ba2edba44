"""What an answer claims to be about."""

import pytest

from ullage.arrivals.claims import claims


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("20 orders analysed.", 20),
        ("In all, 20 open orders were processed", 20),
        ("I analyzed all 1,250 orders.", 1250),
        ("All 20 orders are fine", 20),
        ("A total of 20 orders", 20),
        ("**Total orders:** 20", 20),
        ("Orders analysed: 20", 20),
        ("Number of orders = 20", 20),
        ("20 orders in total", 20),
    ],
)
def test_a_statement_about_all_of_them_is_read(answer: str, number: int) -> None:
    assert [one.number for one in claims(answer, "orders")] == [number]


@pytest.mark.parametrize(
    "answer",
    [
        "3 orders are late",
        "20 of 50 orders analysed",
        "20 invoices analysed",
        "order 20 was analysed",
        "1.20 orders analysed",
        "ORD-17 orders processed",
    ],
)
def test_what_speaks_of_some_of_them_or_of_others_is_no_claim(answer: str) -> None:
    assert claims(answer, "orders") == []


def test_without_a_noun_any_plural_is_read() -> None:
    (one,) = claims("24 invoices reviewed", None)

    assert (one.number, one.text) == (24, "24 invoices reviewed")


def test_a_number_of_thousands_of_digits_is_no_claim_and_no_error() -> None:
    assert claims("9" * 9000 + " orders analysed", "orders") == []

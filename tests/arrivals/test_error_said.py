"""An error that stands in what looks like an empty success."""

import pytest

from ullage.arrivals.error_said import error_said


@pytest.mark.parametrize(
    "text",
    ['{"rows":[],"error":"timeout"}', '{"error":{"code":5}}', '{"errors":["x"],"status":200}'],
)
def test_an_error_beside_nothing_is_told(text: str) -> None:
    assert error_said(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        '{"rows":[],"error":null}',
        '{"rows":[],"error":""}',
        '{"rows":[{"id":1}],"error":"partial"}',
        '{"success":false,"error":"timeout"}',
        '{"isError":true,"error":"timeout"}',
        '[{"error":"x"}]',
        "error: timeout",
        "",
    ],
)
def test_a_field_an_empty_error_and_a_marked_failure_are_not(text: str) -> None:
    assert error_said(text) is None

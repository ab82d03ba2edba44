"""How far an interval from few units reaches."""

import pytest

from ullage.stats.student import t_quantile


def test_the_quantiles_are_those_of_the_tables() -> None:
    tables = {1: 12.7062, 2: 4.3027, 3: 3.1824, 5: 2.5706, 9: 2.2622, 10: 2.2281, 30: 2.0423}
    for freedom, far in tables.items():
        assert t_quantile(0.95, freedom) == pytest.approx(far, abs=1e-4)
    assert t_quantile(0.99, 5) == pytest.approx(4.0321, abs=1e-4)


def test_with_many_units_it_is_the_normal_distribution() -> None:
    assert t_quantile(0.95, 100_000) == pytest.approx(1.959964, abs=1e-3)


def test_without_a_degree_of_freedom_there_is_none() -> None:
    with pytest.raises(ValueError, match="1 degree of freedom or more, got 0"):
        t_quantile(0.95, 0)

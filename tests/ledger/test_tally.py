from ullage.ledger.tally import Tally


def test_a_kind_is_said_when_it_is_new_and_then_at_ten_times_as_many() -> None:
    said: list[str] = []
    tally = Tally(said.append)

    for number in range(250):
        tally.add("disk full", f"disk full: POST /{number}")
    tally.add("locked")

    assert said == [
        "disk full: POST /0",
        "disk full (10 times so far)",
        "disk full (100 times so far)",
        "locked",
    ]
    assert tally.total == 251


def test_the_last_count_is_said_at_the_end() -> None:
    said: list[str] = []
    tally = Tally(said.append)
    for _ in range(12):
        tally.add("disk full")
    tally.add("locked")

    tally.close()
    tally.close()

    assert said[2:] == ["locked", "disk full (12 times so far)"]

"""The card sets as their files have them, for the tests of this folder."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETS = ("classic", "legends", "pathfinder", "super", "conan")


def read(name, file):
    return json.loads((ROOT / "cards" / name / (file + ".json")).read_text(encoding="utf-8"))


def cards(name):
    """Every card once, with the deck it belongs to."""
    for deck in ("doors", "treasures"):
        for card in read(name, deck):
            yield dict(card, deck=deck)


def complete_sets():
    return [name for name in SETS if read(name, "set").get("complete")]


def rows(card, when=None):
    return [row for row in card.get("rows", []) if when is None or row.get("when", "static") == when]


def op(row):
    """What a row does; of a lasting effect the op that lasts."""
    return row["effect"] if row["do"] == "lasting" else row["do"]


def filters(row):
    """The filters of what a row takes."""
    filter_ = row.get("cards", {})
    return filter_.get("any_of", [filter_])

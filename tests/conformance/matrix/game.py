"""Whole games of four people over a real homeserver. usage: game.py [ROOM_VERSION [SECONDS]]"""
import asyncio
import sys
import time

from munchbot import Munchbot
from people import Person
from players import Player, awaited
from synapse import Synapse

NAMES = ["Ada", "Bob", "Cem", "Dee"]


async def seat(people, bot):
    """A room, and everybody at a table in it."""
    host = people[0]
    made = await host.client.room_create(name="Game night", room_version=None,
                                         invite=[bot.user_id] + [each.user_id for each in people[1:]])
    room = made.room_id
    await host.until("everybody in the room", lambda: room in host.client.rooms and
                     len(host.client.rooms[room].users) - len(host.client.rooms[room].invited_users) == len(people) + 1, 60)
    await host.say(room, "!munch new players=4 answer=5s window=5s")
    await host.until("the table", lambda: host.texts(room, bot.user_id), 60)
    for each in people[1:]:
        await each.say(room, "!munch join")
    await host.until("four seats", lambda: all(any(each.name + " sits down" in text for text in
                                                   host.texts(room, bot.user_id)) for each in people[1:]), 60)
    await host.say(room, "!munch start")
    await host.until("the deal", lambda: any("is dealt" in text for text in host.texts(room, bot.user_id)), 60)
    return room


def card(person, room, bot):
    """The newest message of the table that was edited, or its newest at all."""
    messages = person.shown[room]
    mine = [messages[each] for each in person.order[room] if messages[each][1] == bot.user_id]
    cards = [each for each in mine if "Decks:" in each[0] or "Round" in each[0]]
    return (cards or mine)[-1][0]


def check_secrets(people, room, bot):
    """Nobody reads another's hand room, and no room of the table shows a hand."""
    for person in people:
        for each, shown in person.shown.items():
            if each != room and any(sender not in (bot.user_id, person.user_id) for _, sender, _ in shown.values()):
                raise AssertionError(f"{person.name} reads somebody else in {each}")
        for text in person.texts(room, bot.user_id):
            if "Your hand:" in text or "You are dealt:" in text:
                raise AssertionError(f"a hand stands in the room: {text[:200]}")


async def play(people, bot, seconds):
    room = await seat(people, bot)
    players = [Player(person, bot.user_id, seed) for seed, person in enumerate(people)]
    end = time.monotonic() + seconds
    host = people[0]

    def won():
        return any("has won" in text for text in host.texts(room, bot.user_id))
    while not won() and time.monotonic() < end:
        moved = [await player.act() for player in awaited(players, card(host, room, bot))]
        if not any(move not in (None, "pass") for move in moved):
            await asyncio.sleep(0.5)  # a moment that all wait out
    check_secrets(people, room, bot)
    said = sum(player.said for player in players)
    print(f"{'won' if won() else 'broken off'}: {said} lines, {host.events} messages in the host's rooms")
    return room, won()


async def main(version="12", seconds="600"):
    synapse = Synapse(version)
    bot = Munchbot(synapse)
    people = []
    try:
        bot.start()
        people = [Person(synapse, name) for name in NAMES]
        for person in people:
            await person.begin()
        room, _ = await play(people, bot, float(seconds))
        print("\n-----\n".join(people[0].texts(room, bot.user_id)[-12:]))
        status = bot.end()
        if status != 0:
            raise AssertionError(f"munchbot ended with {status}:\n{bot.log()[-3000:]}")
    finally:
        for person in people:
            await person.end()
        bot.remove()
        synapse.remove()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

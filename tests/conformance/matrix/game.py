"""A game of four people over a real homeserver. usage: game.py [ROOM_VERSION [SECONDS [KILLS]]]

It is broken off after so many seconds; the bot is killed so often on the way, while people go on typing."""
import asyncio
import signal
import sys
import time

from munchbot import Munchbot
from people import Person
from players import Player, awaited
from synapse import Synapse

NAMES = ["Ada", "Bob", "Cem", "Dee"]


async def seat(people, bot, options="answer=5s window=5s", bots=0):
    """A room, and everybody at a table in it, with so many bot players."""
    host = people[0]
    room = await host.make_room([bot.user_id] + [each.user_id for each in people[1:]])
    await host.say(room, f"!munch new players={len(people) + bots} {options}")
    await host.until("the table", lambda: host.texts(room, bot.user_id), 60)
    for each in people[1:]:
        await each.say(room, "!munch join")
    await host.until("four seats", lambda: all(any(each.name + " sits down" in text for text in
                                                   host.texts(room, bot.user_id)) for each in people[1:]), 60)
    for _ in range(bots):
        await host.say(room, "!munch add-bot ruthless")
    await host.until("all seats", lambda: any(f"{len(people) + bots} of {len(people) + bots} seats" in text for text in
                                              host.texts(room, bot.user_id)), 60)
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


def doubled(person, room, bot):
    """Messages of the bot that stand twice in a row: their texts."""
    texts = person.texts(room, bot.user_id)
    return [one for one, two in zip(texts, texts[1:]) if one == two]


async def play(people, bot, seconds, kills):
    room = await seat(people, bot)
    players = [Player(person, bot.user_id, seed) for seed, person in enumerate(people)]
    end = time.monotonic() + seconds
    host = people[0]
    turns = killed = 0

    def won():
        return any("has won" in text for text in host.texts(room, bot.user_id))
    while not won() and time.monotonic() < end:
        moved = [await player.act() for player in awaited(players, card(host, room, bot))]
        if not any(move not in (None, "pass") for move in moved):
            await asyncio.sleep(0.5)  # a moment that all wait out
        turns += 1
        if turns % 10 == 0 and killed < kills:
            killed += 1
            bot.end(signal.SIGKILL)
            said = asyncio.create_task(players[killed % len(players)].moves())  # heard when it is back
            await asyncio.sleep(1)
            await asyncio.get_running_loop().run_in_executor(None, bot.start)
            await said
    check_secrets(people, room, bot)
    for each in people:
        if doubled(each, room, bot):
            raise AssertionError(f"said twice: {doubled(each, room, bot)}")
    said = sum(player.said for player in players)
    print(f"{'won' if won() else 'broken off'}: {said} lines, {host.events} messages in the host's rooms, {killed} kills")
    return room, won()


async def main(version="12", seconds="600", kills="0"):
    synapse = Synapse(version)
    bot = Munchbot(synapse)
    people = []
    try:
        bot.start()
        people = [Person(synapse, name) for name in NAMES]
        for person in people:
            await person.begin()
        room, _ = await play(people, bot, float(seconds), int(kills))
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

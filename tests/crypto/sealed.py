"""A game of four people in encrypted rooms over a real homeserver. usage: sealed.py [auto|always [KILLS [SEED]]]

Two have clients that trust signed devices alone. Everything they are shown is looked at: shields, what cannot be read,
what calls them; then everything the homeserver has. Munchbot or munchbot-crypto is killed so often on the way."""
import asyncio
import collections
import os
import random
import re
import signal
import sys
import time

from readers import Signed, Strict
from sealed_bot import Bot, check_server

from game import card, check_secrets, seat
from players import Player, awaited
from synapse import Synapse

PACE = "turn=20s decision=5s ask=5s answer=5s window=5s"
PERSON_SAYS = 60


def check_reads(person, bot):
    """All that was said since they came is read, and without a shield."""
    unread = person.unread()
    assert not unread, f"{person.name} cannot read {len(unread)}: {[(each.sender, each.room, each.why) for each in unread][:5]}"
    for each in person.told.values():
        assert each.sender != bot.user_id or each.shield == 0, f"{person.name} sees a shield: {each.__dict__}"


def check_calls(person, room, bot):
    """Who is called is notified, loudly, and edits call nobody: no server reads in a sealed one whom. Whose turn begins is
    called, whatever they were asked before. How often they were."""
    calls, begun = 0, set()
    for name in person.rooms[room]:
        told = person.told[name]
        if told.sender != bot.user_id or told.type != "m.room.message":
            continue
        called = person.user_id in told.content.get("m.mentions", {}).get("user_ids", [])
        edits = (told.content.get("m.relates_to") or {}).get("rel_type") == "m.replace"
        assert not (edits and told.content["m.mentions"]), f"an edit calls: {told.content}"
        assert not called or (told.notifies and told.highlights), f"{person.name} is not notified: {told.__dict__}"
        calls += called
        body = told.content.get("m.new_content", told.content)["body"]
        turn = re.search(rf"^Round (\d+), {person.name}'s turn: before the door", body, re.MULTILINE)
        if turn and turn.group(1) not in begun:
            begun.add(turn.group(1))
            assert called, f"{person.name} is not called: {body}"
    assert len(begun) > 1, begun
    return calls


async def until_read(people, bot):
    """Until everybody reads the newest that was said to them."""
    for person in people:
        await person.until("all that was said", lambda person=person: not person.unread(), PERSON_SAYS)


class Killer:
    """Kills the one or the other at moments by chance."""

    def __init__(self, bot, kills, seed):
        self.bot, self.left, self.random = bot, kills, random.Random(seed)
        self.killed = collections.Counter()

    async def live(self):
        loop = asyncio.get_running_loop()
        while self.left > 0:
            await asyncio.sleep(self.random.uniform(0.2, 3))
            if self.random.random() < 0.5:
                what, killed = "munchbot-crypto", self.bot.kill_helper()  # it may be dead still
            else:
                what, killed = "munchbot", 1
                self.bot.end(signal.SIGKILL)
                await loop.run_in_executor(None, self.bot.start)
            self.killed[what] += killed
            self.left -= killed


async def play(people, bot, room, players, seconds):
    """Until somebody has won."""
    host, end = people[0], time.monotonic() + seconds
    while not any("has won" in text for text in host.texts(room, bot.user_id)[-2:]):
        assert time.monotonic() < end, "the game does not end: " + card(host, room, bot)
        moved = [await player.act() for player in awaited(players, card(host, room, bot))]
        if not any(move not in (None, "pass") for move in moved):
            await asyncio.sleep(0.3)  # a moment that all wait out


async def again(people, bot, room):
    """Another game with the same."""
    host, before = people[0], len(people[0].texts(room, bot.user_id))
    await host.say(room, f"!munch new players=6 {PACE}")
    for each in people[1:]:
        await each.say(room, "!munch join")
    for _ in range(2):
        await host.say(room, "!munch add-bot ruthless")
    await host.say(room, "!munch start")
    await host.until("a new deal", lambda: any("is dealt" in text for text in host.texts(room, bot.user_id)[before:]), PERSON_SAYS)


async def main(encryption="auto", kills="0", seed="1"):
    synapse = Synapse()
    bot = Bot(synapse, encryption)
    people = []
    began = time.monotonic()
    try:
        bot.start()
        people = [host, *_] = [Strict(synapse, "Ada"), Strict(synapse, "Bob"), Signed(synapse, "Cem"), Signed(synapse, "Dee")]
        for person in people:
            await person.begin()
        room = await seat(people, bot, PACE, bots=2)
        # An answer may be lost with its process: who waits in vain says it again.
        players = [Player(person, bot.user_id, number, 15, 5) for number, person in enumerate(people)]
        killer = Killer(bot, int(kills), int(seed))
        kills = asyncio.create_task(killer.live())
        await play(people, bot, room, players, 1500)
        while killer.left > 0:
            await again(people, bot, room)
            await play(people, bot, room, players, 1500)
        await kills
        await until_read(people, bot)
        for person in people:
            check_reads(person, bot)
        check_secrets(people, room, bot)
        sealed = check_server(synapse, bot)
        calls = {each.name: check_calls(each, room, bot) for each in people[:2]}
        assert bot.end() == 0, bot.log()[-3000:]
        print(f"{encryption}: {sum(player.said for player in players)} lines, {sum(map(len, sealed.values()))} sealed in {len(sealed)} rooms, "
              f"calls {calls}, kills {dict(killer.killed)}, {time.monotonic() - began:.0f} s")
    except Exception:
        if "KEEP" in os.environ:
            (bot.folder / "told").write_text("\n".join(f"{each.name} {told.__dict__}" for each in people for told in each.told.values()))
        raise
    finally:
        for person in people:
            await person.end()
        if "KEEP" not in os.environ:
            bot.remove()
            synapse.remove()
        else:
            print(bot.folder, synapse.folder)
            if bot.process.poll() is None:
                bot.end()
            synapse.stop()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

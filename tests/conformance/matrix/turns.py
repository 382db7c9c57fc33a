"""Turns of four people who think five seconds, at a homeserver with the limits that all have by default.

usage: turns.py [ROOM_VERSION [TURNS]]. Prints events a command, how long prompts and hands take, commands a minute, how
many sends were too many. Wanted are at most 1.7 events, prompts in 5 s, hands in 15 s (p95), nothing after 45 s, 7 commands
a minute, 2 % too many: tests/matrix/test_pace.c holds that on virtual time. A real evening is another game each time; from
WHOLE turns on it fails at MOST_EVENTS and MOST_TOO_MANY, which no game and no busy machine explains."""
import asyncio
import random
import re
import sys
import time

from game import NAMES, check_secrets
from munchbot import Munchbot
from people import Person
from players import ASKED, ORDER, RELUCTANT
from synapse import Synapse

THINK = 5.0
WHOLE = 12
MOST_EVENTS = 2.2
MOST_TOO_MANY = 0.02
NUMBERED = re.compile(r"^ *(\d+)\. (.+)$", re.M)
WAY = re.compile(r": ((?:on|for|with|replacing|to) [^,]+)")
SOME = re.compile(r"Choose (\d+) (?:to \d+ )?cards?")
ORDERED = re.compile(r"Put these in order|or everything")
HAND = re.compile(r"Your hand|Say |Nothing was done: say")
AGAIN = re.compile(r"Nothing was done: say (\d+) again")
WAITED = re.compile(r"(prompt|awaited-hand|table) waited_ms=(\d+)")


def said(line):
    """The verb of a numbered line: a card's is "play"."""
    word = line.split(" ")[0]
    return word if word in ORDER else "play"


def whole(number, line):
    """The number, and what must be said behind it."""
    way = WAY.search(line)
    return f"{number} {way.group(1)}" if way else number


class Thinker:
    """Reads table and hand, thinks, and says a number."""

    def __init__(self, person, table, bot, seed):
        self.person, self.table, self.bot = person, table, bot
        self.random = random.Random(seed)
        self.last = ""

    def prompt(self):
        cards = [text for text in self.person.texts(self.table, self.bot) if ASKED.search(text.split("\n")[0])]
        return cards[-1].split("\n")[0] if cards else ""

    def hand(self):
        room = self.person.hand_room(self.bot)
        if not room:
            return room, ""
        hands = [text for text in self.person.texts(room, self.bot) if HAND.search(text)]
        return room, hands[-1] if hands else ""

    def answer(self, hand):
        """Of a question that may want several of its numbers."""
        numbers = [number for number, _ in NUMBERED.findall(hand)]
        some = SOME.search(hand)
        if not numbers or ORDERED.search(hand):
            return "choose " + ", ".join(numbers) if numbers else None
        count = min(len(numbers), int(some.group(1)) if some else 1)
        return "choose " + ", ".join(self.random.sample(numbers, count)) if count > 1 else self.random.choice(numbers)

    def choose(self, hand):
        doubtful = AGAIN.search(hand)
        if doubtful:
            return doubtful.group(1)
        if "choose" in hand and "Say a number" not in hand:
            return self.answer(hand)
        options = NUMBERED.findall(hand)
        for verb in ORDER:
            of = [(number, line) for number, line in options if said(line) == verb]
            if of and not (verb in RELUCTANT and self.random.random() < 0.5):
                return whole(*self.random.choice(of))
        return whole(*self.random.choice(options)) if options else None

    async def live(self, end):
        while not end.is_set():
            await asyncio.sleep(0.2)
            room, hand = self.hand()
            moment = (self.prompt(), hand)
            if self.person.name not in moment[0] or moment == self.last:
                continue
            await asyncio.sleep(THINK)
            if (self.prompt(), self.hand()[1]) != moment:
                continue  # there is something new to read
            self.last = moment
            line = self.choose(hand)
            if line:
                await self.person.say(room, line)


def share(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else 0.0


async def begin(host, people, bot, options=""):
    room = await host.make_room([bot.user_id] + [each.user_id for each in people[1:]])
    await host.say(room, "!munch new players=4" + options)
    await host.until("the table", lambda: host.texts(room, bot.user_id), 60)
    for each in people[1:]:
        await each.say(room, "!munch join")
    await host.until("four seats", lambda: any("4 of 4" in text for text in host.texts(room, bot.user_id)), 120)
    for each in people:
        await each.until("a hand room", lambda each=each: each.hand_room(bot.user_id), 120)
    await asyncio.sleep(60)  # the bucket fills again
    await host.say(room, "!munch start")
    await host.until("the deal", lambda: any("Round" in text or "Set-up" in text for text in
                                             host.texts(room, bot.user_id)), 120)
    return room


def figures(people, room, bot, since):
    """Events of the bot at the table and in the hand rooms, and what people have said there, by the server's clock."""
    events = said = 0
    for each in people:
        for where, when, sender, _ in each.seen:
            hand = where == each.hand_room(bot.user_id)
            own = sender == bot.user_id and (hand or (where == room and each is people[0]))
            events += own and when >= since
            said += sender == each.user_id and hand and when >= since
    return events, said


def waits(log):
    """How long what was sent had waited, by what it was, in seconds: from its cause until the homeserver has it. Only the
    bot knows what its cause was, and which hands had to be remade: one that changes nothing is not sent."""
    found = {}
    for what, ms in WAITED.findall(log):
        found.setdefault(what, []).append(int(ms) / 1000)
    return found


async def main(version="12", turns="12"):
    synapse = Synapse(version, limits=True)
    bot = Munchbot(synapse)
    people = []
    try:
        bot.start()
        people = [Person(synapse, name) for name in NAMES]
        for person in people:
            await person.begin()
        host = people[0]
        room = await begin(host, people, bot)
        end = asyncio.Event()
        thinkers = [Thinker(person, room, bot.user_id, seed) for seed, person in enumerate(people)]
        since, before = time.time(), len(bot.log())
        lives = [asyncio.create_task(each.live(end)) for each in thinkers]
        last = since + 150.0 * int(turns)

        def played():
            heads = {re.search(r"Round \d+[^\n]*turn", text).group(0) for text in host.texts(room, bot.user_id)
                     if re.search(r"Round \d+[^\n]*turn", text)}
            return len(heads)
        while played() <= int(turns) and time.time() < last:
            await asyncio.sleep(1)
        minutes = (time.time() - since) / 60
        end.set()
        await asyncio.gather(*lives)
        check_secrets(people, room, bot)
        events, said = figures(people, room, bot, since)
        waited = waits(bot.log()[before:])
        prompts, asked, tables = (waited.get(each, []) for each in ("prompt", "awaited-hand", "table"))
        many = bot.log().count("event=too-many")
        print("\n-----\n".join(host.texts(room, bot.user_id)[-4:]))
        for each in people:
            print("=====", each.name, "\n".join(each.texts(each.hand_room(bot.user_id))[-3:]))
        print(f"{played() - 1} turns, {said} commands in {minutes:.1f} min: {said / minutes:.1f} a minute; "
              f"{events / max(1, said):.2f} events a command; prompt p95 {share(prompts, 0.95):.1f} s, "
              f"hand of the asked p95 {share(asked, 0.95):.1f} s, longest {max(prompts + asked, default=0):.1f} s; "
              f"a table that asks nobody anew p95 {share(tables, 0.95):.1f} s; {many} of {events + many} sends too many")
        print("\n".join(line for line in bot.log().split("\n") if "too-many" in line))
        if int(turns) >= WHOLE and (events > MOST_EVENTS * said or many > MOST_TOO_MANY * (events + many)):
            raise AssertionError("out of bounds")
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

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
from players import ORDER, RELUCTANT
from synapse import Synapse

THINK = 5.0
WHOLE = 12
MOST_EVENTS = 2.2
MOST_TOO_MANY = 0.02
NUMBERED = re.compile(r"  (\d+)\. (.+)")
SOME = re.compile(r"Choose (\d+) (?:to \d+ )?cards?")
ORDERED = re.compile(r"Put these in order|or everything")
WAITED = re.compile(r"(prompt|awaited-hand) waited_ms=(\d+)")
ASKED = re.compile(r"to move|to decide|not passed|the answer of")


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
        hands = [text for text in self.person.texts(room, self.bot) if "Your hand" in text or "Say " in text] if room else []
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
        if "choose" in hand and "Say a number" not in hand:
            return self.answer(hand)
        options = NUMBERED.findall(hand[hand.rfind("\nSay a number"):] if "\nSay a number" in hand else hand)
        for verb in ORDER:
            of = [number for number, line in options if line.split(" ")[0] == verb]
            if of and not (verb in RELUCTANT and self.random.random() < 0.5):
                return self.random.choice(of)
        return self.random.choice(options)[0] if options else None

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


async def begin(host, people, bot):
    made = await host.client.room_create(name="Game night", invite=[bot.user_id] + [each.user_id for each in people[1:]])
    room = made.room_id
    await host.until("everybody in the room", lambda: room in host.client.rooms and
                     len(host.client.rooms[room].users) - len(host.client.rooms[room].invited_users) == 5, 60)
    await host.say(room, "!munch new players=4")
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


def asks_anew(head, before):
    """Whether that asks somebody what they were not asked before: one name less in a list asks nobody."""
    bare, names = re.compile("|".join(NAMES)), lambda line: {name for name in NAMES if name in line}
    what = [re.sub(r"\W|\band\b", "", bare.sub("", line)) for line in (head, before)]
    return what[0] != what[1] or not names(head) <= names(before)


def figures(people, room, bot, since):
    """Of what people saw, by the server's clock. A prompt is a table that asks somebody anew; one that comes after its
    cause has spoken again was caused by that. What a table tells that asks nobody anew comes later: `other` are all
    tables that begin otherwise than before."""
    host = people[0]
    said = sorted((when, each.name) for each in people for where, when, sender, _ in each.seen
                  if sender == each.user_id and where == each.hand_room(bot.user_id) and when >= since)
    cards = [(when, text) for where, when, sender, text in host.seen if where == room and sender == bot.user_id
             and when >= since]
    hands = [when for each in people for where, when, sender, _ in each.seen if sender == bot.user_id and
             where == each.hand_room(bot.user_id) and when >= since]
    prompts, other, tables = [], [], []
    for when, name in said:
        head = next((text.split("\n")[0] for at, text in reversed(cards) if at <= when), "")
        again = next((other for other, who in said if other > when and who == name), float("inf"))
        after = next((card for card in cards if card[0] > when), None)
        changed = next((card for card in cards if card[0] > when and card[1].split("\n")[0] != head), None)
        new = next((card for card in cards if card[0] > when and asks_anew(card[1].split("\n")[0], head)), None)
        if after is not None and after[0] < when + 60:
            tables.append(after[0] - when)
        if changed is not None and changed[0] < min(again, when + 60):
            other.append(changed[0] - when)
        if new is not None and new[0] < min(again, when + 60):
            prompts.append(new[0] - when)
    return len(cards) + len(hands), said, prompts, other, tables


def waits(log):
    """What waited for its turn at the account's limit, by what it was, in seconds: which hands had to be remade only the
    bot knows, for one that changes nothing is not sent."""
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
        events, said, prompts, other, tables = figures(people, room, bot, since)
        waited = waits(bot.log()[before:])
        asked = waited.get("awaited-hand", [])
        called = waited.get("prompt", [])
        many = bot.log().count("event=too-many")
        print("\n-----\n".join(host.texts(room, bot.user_id)[-4:]))
        for each in people:
            print("=====", each.name, "\n".join(each.texts(each.hand_room(bot.user_id))[-3:]))
        print(f"{played() - 1} turns, {len(said)} commands in {minutes:.1f} min: {len(said) / minutes:.1f} a minute; "
              f"{events / max(1, len(said)):.2f} events a command; prompt p95 {share(prompts, 0.95):.1f} s "
              f"as people saw it, {share(called, 0.95):.1f} s in the bot, hand of the asked p95 {share(asked, 0.95):.1f} s, longest "
              f"of these {max(called + asked, default=0):.1f} s; "
              f"tables that begin otherwise p95 {share(other, 0.95):.1f} s; any table p95 {share(tables, 0.95):.1f} s, "
              f"longest {max(tables, default=0):.1f} s; "
              f"{many} of {events + many} sends too many")
        print("\n".join(line for line in bot.log().split("\n") if "too-many" in line))
        if int(turns) >= WHOLE and (events > MOST_EVENTS * len(said) or many > MOST_TOO_MANY * (events + many)):
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

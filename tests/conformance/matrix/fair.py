"""What an account does to a table of others, at a homeserver with the limits that all have by default but for who attacks.

usage: fair.py [ROOM_VERSION [flood] [invitations] [large]]. Prints how long the table's answers take undisturbed, while somebody opens and ends tables of
their own, while five accounts invite the bot to 45 rooms, and around a room of 70 MiB, and how long the bot takes to come
back. Wanted is 1.5 times the undisturbed time; it is read, not asserted: each evening is another. It fails only where
something is never answered, or a room that is too large is kept."""
import asyncio
import itertools
import sqlite3
import sys
import time

from game import NAMES, check_secrets
from munchbot import Munchbot
from people import Person
from synapse import Synapse
from turns import begin

ASKS, APART = 6, 9.0
FLOOD, PAIRS = 60.0, 59
GUESTS, ROOMS = 5, 9
EVENTS, BYTES = 1200, 60000
KINDS = ("org.example.large", "m.room.name")  # what the bot reads nothing of, and what it reads
CARDS = itertools.cycle(["Kobold Intern", "Net Troll", "Thief", "Elf", "Dwarf", "Halfling", "Cleric", "Wizard", "Warrior",
              "Super Munchkin", "Half-Breed", "Siege Ladder", "Chainsaw of Bloody Dismemberment", "Hydra of Opinions",
              "Subscription Lich", "Gentleman Gargoyle", "Family Tree Surgery", "Up Past Its Bedtime", "Bow of Rude Pointing",
              "Novelty Tie of Authority", "Doormouse of Doom", "Spear of Personal Space", "Cyclops Optician", "Kraken in a Bathtub",
              "Tragic Backstory", "Nosy Neighbors", "Inherited Long Johns", "Trapdoor to Nowhere", "Abs in a Bottle",
              "Bucket of Treacle", "Recently Deceased", "Cloakroom Mix-Up", "Performance Review", "Doorway Too Narrow",
              "Potted Basilisk", "Frying Pan of Second Breakfast"])


def free(synapse, person):
    """The server does not count what they send: as much as an attack may need."""
    with sqlite3.connect(synapse.folder / "homeserver.db", timeout=30) as store:
        store.execute("INSERT INTO ratelimit_override VALUES (?, 0, 0)", (person.user_id,))


async def answers(person, bot, count=ASKS):
    """How long each of some questions in a hand room waits."""
    room = person.hand_room(bot.user_id)
    waited = []
    for _ in range(count):
        before = len(person.texts(room, bot.user_id))
        since = time.monotonic()
        await person.say(room, f"card {next(CARDS)}")
        await person.until("an answer", lambda before=before: len(person.texts(room, bot.user_id)) > before, 300)
        waited.append(time.monotonic() - since)
        await asyncio.sleep(max(0.0, APART - waited[-1]))
    return waited


def tell(what, waited):
    print(f"{what}: {' '.join(f'{each:.1f}' for each in waited)} s; mean {sum(waited) / len(waited):.1f}, longest "
          f"{max(waited):.1f}", flush=True)


async def own_room(person, bot, name):
    made = await person.client.room_create(name=name, invite=[bot.user_id])
    return made.room_id


async def flood(person, room):
    for i in range(PAIRS):
        await person.say(room, "!munch new")
        await person.say(room, "!munch end")
        await asyncio.sleep(FLOOD / PAIRS)


async def invite(guests, bot):
    for i in range(ROOMS):
        await asyncio.gather(*[own_room(each, bot, f"Room {i}") for each in guests])
        await asyncio.sleep(17 / ROOMS)


async def fill(person, room, kind, every=4):
    async def some(first):
        for i in range(first, EVENTS, every):
            await person.client.room_put_state(room, kind, {"name": "x" * BYTES}, state_key=f"k{i}")
    await asyncio.gather(*[some(first) for first in range(every)])


async def here(person, bot, room):
    answer = await person.client.joined_members(room)
    return bot.user_id in [each.user_id for each in answer.members]


async def until(test, seconds):
    end = time.monotonic() + seconds
    while not await test():
        if time.monotonic() > end:
            raise TimeoutError("in vain")
        await asyncio.sleep(0.5)


async def large(host, eve, bot, room, kind):
    """A room that the bot is in becomes 70 MiB of such a state: meanwhile, and with the next process."""
    filling = asyncio.create_task(fill(eve, room, kind))
    tell(f"while {EVENTS * BYTES >> 20} MiB of {kind} come", await answers(host, bot))
    await filling
    bot.end()
    since = time.monotonic()
    await asyncio.get_running_loop().run_in_executor(None, bot.start, 120)
    print(f"back after {time.monotonic() - since:.1f} s", flush=True)
    tell("behind that", await answers(host, bot))


async def main(version="12", *attacks):
    attacks = attacks or ("flood", "invitations", "large")
    synapse = Synapse(version, limits=True)
    bot = Munchbot(synapse)
    people = []
    try:
        bot.start()
        people = [Person(synapse, name) for name in NAMES]
        guests = [Person(synapse, f"Guest{i}") for i in range(GUESTS + 1)]
        for each in guests:
            free(synapse, each)
        for person in people + guests:
            await person.begin()
        host, eve, mallory = people[0], guests[0], guests[-1]
        rooms = [await own_room(mallory, bot, kind) for kind in KINDS if "large" in attacks]
        room = await begin(host, people, bot, " pace=slow")  # nothing happens by itself
        tell("undisturbed", await answers(host, bot))
        if "flood" in attacks:
            own = await own_room(eve, bot, "Own")
            await until(lambda: here(eve, bot, own), 300)
            flooding = asyncio.create_task(flood(eve, own))
            tell(f"while {2 * PAIRS} lines of new and end come", await answers(host, bot))
            await flooding
        if "invitations" in attacks:
            inviting = asyncio.create_task(invite(guests[:-1], bot))
            tell(f"while {GUESTS * ROOMS} invitations come", await answers(host, bot))
            await inviting
        if "large" in attacks:
            for kind, each in zip(KINDS, rooms):
                await large(host, mallory, bot, each, kind)

            async def gone():
                return not await here(mallory, bot, rooms[1])
            await until(gone, 300)
        check_secrets(people, room, bot)
        status = bot.end()
        if status != 0:
            raise AssertionError(f"munchbot ended with {status}:\n{bot.log()[-3000:]}")
    except BaseException:
        print(bot.log()[-6000:])
        raise
    finally:
        for person in people + guests:
            await person.end()
        bot.remove()
        synapse.remove()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

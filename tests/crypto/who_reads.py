"""Who reads what the bot says in encrypted rooms of a real homeserver, and who does not: new devices, unsigned ones, people who
leave, one who was let into a hand room behind the bot's back, a new identity; keys that change; a bot with a new device."""
import asyncio
import json
import re
import time
import urllib.parse
import urllib.request

from readers import Signed, Strict
from sealed_bot import Bot, check_server

from synapse import Synapse

MESSAGES = 4  # of one key of the room


class Table:
    """An encrypted room in which the bot says something whenever its host lets a bot player sit down or get up."""

    def __init__(self, synapse, bot, host):
        self.synapse, self.bot, self.host = synapse, bot, host
        self.player = None

    async def begin(self, others):
        self.room = await self.host.make_room([self.bot.user_id] + [each.user_id for each in others], rotation_period_msgs=MESSAGES)
        await self.host.say(self.room, "!munch new")
        await self.host.until("a table", lambda: "is open" in "".join(self.host.texts(self.room, self.bot.user_id)), 60)

    async def stirs(self):
        """What the bot has said then: the id of its event, which the host reads."""
        seats = "1 of " if self.player else "2 of "
        before = set(self.host.told)
        await self.host.say(self.room, f"!munch remove {self.player}" if self.player else "!munch add-bot")

        def said():
            return [told for name, told in self.host.told.items() if name not in before and told.opened and
                    told.room == self.room and told.sender == self.bot.user_id and
                    seats in told.content.get("m.new_content", told.content)["body"]]
        told = (await self.host.until(f"{seats}seats", said, 60))[-1]
        text = told.content.get("m.new_content", told.content)["body"]
        self.player = None if self.player else re.search(r"(\w+), a bot", text).group(1)
        return told.told

    def sessions(self):
        return check_server(self.synapse, self.bot)[self.room]


async def reads(person, event, bot):
    await person.until("what the bot said", lambda: event in person.told and person.told[event].opened, 60)
    assert person.told[event].shield == 0, f"{person.name} sees a shield: {person.told[event].__dict__}"


async def reads_not(person, event, bot, sessions):
    """They are told of it, and have no key, now or later."""
    await person.until("that the bot said something", lambda: event in person.told, 60)
    await asyncio.sleep(2)
    assert not person.told[event].opened, f"{person.name} reads {person.told[event].content}"
    assert not set(sessions) & await person.sessions(person.told[event].room), f"{person.name} has a key"


async def keys_change(table, people):
    for _ in range(2 * MESSAGES):
        event = await table.stirs()
    for person in people:
        await reads(person, event, table.bot)
    sessions = table.sessions()
    for each in set(sessions):
        assert sessions.count(each) <= MESSAGES, f"{each} seals {sessions.count(each)} messages"
    assert len(set(sessions)) > 1


async def new_devices(table, people):
    """One that its owner signs reads from then on; one that is not signed reads nothing."""
    signed, unsigned = table.host.other(key=table.host.key), table.host.other(signs=False)
    before = set(table.sessions())
    for each in (signed, unsigned):
        await each.begin()
        people.append(each)
    event = await table.stirs()
    await reads(signed, event, table.bot)
    await reads_not(unsigned, event, table.bot, table.sessions())
    assert not await unsigned.sessions(table.room) & before
    return unsigned


async def who_leaves(table, leaver):
    before = set(table.sessions())
    await leaver.does("leave", room=table.room)
    await table.host.until("that", lambda: leaver.user_id not in table.host.members[table.room]["joined"], 30)
    await reads(table.host, await table.stirs(), table.bot)
    after = set(table.sessions()) - before
    assert after, "the key is the old one"
    assert not after & await leaver.sessions(table.room), f"{leaver.name} has left and has a key"


def as_bot(table, method, path, body=None):
    request = urllib.request.Request(f"{table.synapse.url}/_matrix/client/v3/{path}", None if body is None else json.dumps(body).encode(),
                                     {"Authorization": f"Bearer {table.bot.token}", "Content-Type": "application/json"}, method=method)
    return json.load(urllib.request.urlopen(request, timeout=30))


async def asks(person, room, bot):
    before = len(person.texts(room, bot))
    await person.say(room, "help")
    await person.until("an answer", lambda: len(person.texts(room, bot)) > before, 60)


async def planted(table, eve):
    """Their homeserver lets somebody into a hand room."""
    host, bot = table.host, table.bot.user_id
    hand = await host.until("a hand room", lambda: host.hand_room(bot), 60)
    await asks(host, hand, bot)
    as_bot(table, "POST", f"rooms/{urllib.parse.quote(hand)}/invite", {"user_id": eve.user_id})
    await eve.until("the hand room", lambda: eve.members.get(hand, {}).get("mine") == "join", 30)
    await host.say(hand, "help")
    other = await host.until("another hand room", lambda: host.hand_room(bot) not in (None, hand) and host.hand_room(bot), 60)
    await asks(host, other, bot)
    sealed = check_server(table.synapse, table.bot)
    for room in (hand, other):
        assert not set(sealed[room]) & await eve.sessions(room), "a stranger has a key of a hand room"
    assert not any(told.opened for told in eve.told.values() if told.sender == bot), "a stranger reads in a hand room"


async def verification(table):
    """It is answered at once, in a room and between devices."""
    host, bot = table.host, table.bot
    for where in ({"room": table.room}, {"device": as_bot(table, "GET", "account/whoami")["device_id"]}):
        assert await host.does("verify", user=bot.user_id, **where) == {"by": bot.user_id, "code": "m.user"}, where


async def restarts(table, people):
    """Of the bot as it is, and with a new device."""
    table.bot.end()
    table.bot.start()
    event = await table.stirs()
    for person in people:
        await reads(person, event, table.bot)
    table.bot.end()
    table.bot.log_in()
    table.bot.start()
    event = await table.stirs()
    for person in people:
        await reads(person, event, table.bot)


async def new_identity(table, old, people):
    """The devices of the old one read nothing more."""
    anew = old.other(key=old.key, anew=True)
    people.append(anew)
    await anew.begin()
    before = set(table.sessions())
    await anew.until("the room", lambda: anew.members.get(table.room, {}).get("mine") == "join", 30)
    event = await table.stirs()
    await reads(anew, event, table.bot)
    after = set(table.sessions()) - before
    assert after, "the key did not change"
    assert not after & await old.sessions(table.room), "a device of an identity of old has a key"


async def main():
    synapse = Synapse()
    bot = Bot(synapse, "auto")
    began = time.monotonic()
    people = [ada, bob, cem, dee, eve] = [Strict(synapse, "Ada"), Strict(synapse, "Bob"), Signed(synapse, "Cem"),
                                          Strict(synapse, "Dee"), Strict(synapse, "Eve")]
    try:
        bot.start()
        for person in people:
            await person.begin()
        table = Table(synapse, bot, ada)
        await table.begin([bob, cem, dee])
        await keys_change(table, [ada, bob, cem, dee])
        await new_devices(table, people)
        await who_leaves(table, dee)
        await planted(table, eve)
        await verification(table)
        await restarts(table, [ada, bob, cem])
        await new_identity(table, bob, people)
        check_server(synapse, bot)
        assert bot.end() == 0, bot.log()[-3000:]
        print(f"who reads: as it should be, {time.monotonic() - began:.0f} s")
    except Exception:
        print([each.failed for each in people if isinstance(each, Strict)], ada.members)
        print("\n".join(f"{told.room} {told.sender} {told.content}" for told in list(ada.told.values())[-6:])[:6000], bot.log()[-2000:])
        raise
    finally:
        for person in people:
            await person.end()
        bot.remove()
        synapse.remove()


if __name__ == "__main__":
    asyncio.run(main())

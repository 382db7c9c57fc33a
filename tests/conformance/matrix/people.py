"""People with a real client (matrix-nio): what they see in rooms, and what they type there."""
import asyncio
import html
import re

import nio


class Reader:
    """What somebody has read, by whatever client."""

    def __init__(self, name):
        self.name = name
        self.shown = {}  # room id: {event id: [text now, when it came, edits]}
        self.order = {}  # room id: event ids
        self.events = 0
        self.seen = []  # [room id, when, sender, text], edits too
        self.changed = asyncio.Event()

    def heard(self, room, event, sender, when, content):
        relation = content.get("m.relates_to") or {}
        messages = self.shown.setdefault(room, {})
        order = self.order.setdefault(room, [])
        self.events += 1
        self.seen.append((room, when, sender, content.get("m.new_content", content).get("body", "")))
        if relation.get("rel_type") == "m.replace":
            original = messages.get(relation["event_id"])
            if original is not None:
                original[0] = content["m.new_content"]["body"]
                original[2] += 1
        else:
            messages[event] = [content.get("body", ""), sender, 0]
            order.append(event)
        self.changed.set()

    def texts(self, room, sender=None):
        """What stands in a room now, the oldest first."""
        messages = self.shown.get(room, {})
        return [messages[each][0] for each in self.order.get(room, []) if sender in (None, messages[each][1])]

    async def until(self, what, test, seconds=30):
        """Waits until something can be seen."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            result = test()
            if result:
                return result
            self.changed.clear()
            if loop.time() > end:
                raise TimeoutError(f"{self.name} never saw {what}; rooms: " +
                                   repr({room: self.texts(room)[-3:] for room in self.shown})[:3000])
            try:
                await asyncio.wait_for(self.changed.wait(), 0.2)
            except asyncio.TimeoutError:
                pass


class Person(Reader):
    """Somebody who joins every room they are invited to, and reads all that is said."""

    def __init__(self, synapse, name):
        super().__init__(name)
        self.synapse = synapse
        self.user_id, device, token = synapse.register(name)
        self.client = nio.AsyncClient(synapse.url, self.user_id)
        self.client.restore_login(self.user_id, device, token)
        self.client.add_event_callback(self._invited, nio.InviteMemberEvent)
        self.client.add_event_callback(self._said, nio.RoomMessage)

    async def begin(self):
        await self.client.set_displayname(self.name)
        self._task = asyncio.create_task(self.client.sync_forever(timeout=10000, full_state=True))

    async def end(self):
        self._task.cancel()
        try:
            await self._task
        except (asyncio.CancelledError, Exception):  # whatever the client was doing
            pass
        await self.client.close()

    async def _invited(self, room, event):
        if event.state_key == self.user_id and event.membership == "invite":
            await self.client.join(room.room_id)

    async def _said(self, room, event):
        self.heard(room.room_id, event.event_id, event.sender, event.server_timestamp / 1000, event.source["content"])

    def hand_room(self, bot):
        """The newest room that the bot has made for this person, or None."""
        for room_id in reversed(list(self.client.rooms)):
            room = self.client.rooms[room_id]
            if set(room.users) | set(room.invited_users) == {bot, self.user_id}:
                return room_id
        return None

    async def say(self, room, text, **more):
        answer = await self.client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text, **more})
        if not isinstance(answer, nio.RoomSendResponse):
            raise RuntimeError(f"{self.name} cannot say {text!r}: {answer}")
        return answer.event_id

    async def make_room(self, invite):
        """A room with these people and the bot, when all are in it."""
        room = (await self.client.room_create(name="Game night", invite=invite)).room_id
        await self.until("everybody in the room", lambda: room in self.client.rooms and
                         len(self.client.rooms[room].users) - len(self.client.rooms[room].invited_users) == len(invite) + 1, 60)
        return room


def plain(formatted):
    """What a formatted body says, for holding it against the plain one."""
    return html.unescape(re.sub(r"<[^>]+>", "", formatted.replace("<br/>", "\n"))).replace("\u00a0", " ")

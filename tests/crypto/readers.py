"""People with clients that encrypt: what they are shown in rooms, and what stays sealed for them."""
import asyncio
import json
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent / "conformance" / "matrix"))

import nio  # noqa: E402
import signedjson.key  # noqa: E402
import signedjson.sign  # noqa: E402
from people import Person, Reader  # noqa: E402
from unpaddedbase64 import encode_base64  # noqa: E402

logging.getLogger("nio").setLevel(logging.CRITICAL)  # what it cannot open is counted here

class Told:
    """An event as a client shows it."""

    def __init__(self, told):
        self.__dict__.update(told)


class Sealed:
    """Of both kinds of people: the events they were told of, in the order of their rooms."""

    def __init__(self):
        self.told = {}   # event id: Told
        self.rooms = {}  # room id: event ids

    def tell(self, told):
        """An event, or one that could not be read before: then all behind it is read again."""
        late = told.told in self.told
        if late and self.told[told.told].opened:
            return
        self.told[told.told] = told
        if not late:
            self.rooms.setdefault(told.room, []).append(told.told)
        if late and told.opened:
            self.shown.pop(told.room, None)
            self.order.pop(told.room, None)
        for each in self.rooms[told.room] if late and told.opened else [told.told]:
            self._hear(self.told[each])
        self.changed.set()

    def _hear(self, told):
        if told.opened and told.type == "m.room.message":
            self.heard(told.room, told.told, told.sender, told.at / 1000, told.content)

    def unread(self, sender=None):
        """What could not be opened."""
        return [each for each in self.told.values() if not each.opened and sender in (None, each.sender)]


class Strict(Sealed, Reader):
    """Somebody with Element's library. `signs`: trusts signed devices alone, and is trusted; else the device is not."""

    def __init__(self, synapse, name, signs=True, session=None, key=None, anew=False):
        Sealed.__init__(self)
        Reader.__init__(self, name)
        self.synapse = synapse
        self.user_id, self.device, self.token = session or synapse.register(name)
        self.signs, self.key, self.anew = signs, key, anew
        self.members = {}  # room id: what the client says of it
        self.failed = []
        self.password = "pass-" + name
        self._answers = {}
        self._next = 0

    def other(self, **more):
        """Another device of theirs."""
        body = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": self.user_id}, "password": self.password}
        request = urllib.request.Request(f"{self.synapse.url}/_matrix/client/v3/login", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        made = json.load(urllib.request.urlopen(request, timeout=30))
        return Strict(self.synapse, self.name, session=(made["user_id"], made["device_id"], made["access_token"]), **more)

    async def begin(self):
        who = {"url": self.synapse.url, "name": self.name, "user": self.user_id, "device": self.device, "token": self.token,
               "password": self.password, "signs": self.signs, "key": self.key, "anew": self.anew}
        self._process = await asyncio.create_subprocess_exec(
            "node", str(HERE / "client.mjs"), json.dumps(who), stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 24)
        self._reads = asyncio.create_task(self._read())
        self.key = await self.does("begin") or self.key

    async def _read(self):
        while line := await self._process.stdout.readline():
            said = json.loads(line)
            if "told" in said:
                self.tell(Told(said))
            elif "mine" in said:
                self.members[said["room"]] = said
                self.changed.set()
            elif "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            else:
                self.failed.append(said)

    async def does(self, verb, **more):
        self._next += 1
        self._answers[self._next] = future = asyncio.get_running_loop().create_future()
        self._process.stdin.write((json.dumps({"id": self._next, "verb": verb, **more}) + "\n").encode())
        said = await asyncio.wait_for(future, 60)
        if "failed" in said:
            raise RuntimeError(f"{self.name} cannot {verb}: {said['failed']}")
        return said.get("answer")

    async def sessions(self, room):
        """Of which keys it holds."""
        return {session for where, session in await self.does("keys") if where == room}

    async def end(self):
        self._process.stdin.close()
        await self._process.wait()
        await self._reads

    async def say(self, room, text, **more):
        return await self.does("say", room=room, content={"msgtype": "m.text", "body": text, **more})

    async def make_room(self, invite, **sealing):
        room = await self.does("make", content={
            "name": "Game night", "invite": invite, "preset": "private_chat", "initial_state": [
                {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2", **sealing}}]})
        await self.until("everybody in the room", lambda: len(self.members.get(room, {}).get("joined", [])) == len(invite) + 1, 60)
        return room

    def hand_room(self, bot):
        for room, said in reversed(self.members.items()):
            if said["mine"] == "join" and set(said["joined"]) | set(said["invited"]) == {bot, self.user_id}:
                return room
        return None


class Signed(Sealed, Person):
    """Somebody with matrix-nio, which has no identity of its own: the test signs the device in its place."""

    def __init__(self, synapse, name):
        Sealed.__init__(self)
        Reader.__init__(self, name)
        self.synapse = synapse
        self.user_id, self.device, self.token = synapse.register(name)
        self.folder = tempfile.mkdtemp(prefix="munchbot-nio-")
        self.client = nio.AsyncClient(synapse.url, self.user_id, store_path=self.folder,
                                      config=nio.AsyncClientConfig(encryption_enabled=True))
        self.client.restore_login(self.user_id, self.device, self.token)
        self.client.add_event_callback(self._invited, nio.InviteMemberEvent)
        self.client.add_event_callback(self._said, (nio.RoomMessage, nio.MegolmEvent))
        self.client.add_response_callback(self._retry, nio.SyncResponse)
        self._sealed = {}  # event id: event

    async def begin(self):
        await self.client.keys_upload()
        self._sign()
        await Person.begin(self)

    def _post(self, path, body):
        request = urllib.request.Request(f"{self.synapse.url}/_matrix/client/v3/keys/{path}", json.dumps(body).encode(),
                                         {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=30))

    def _sign(self):
        def key(usage):
            made = signedjson.key.generate_signing_key("0")
            public = encode_base64(made.verify_key.encode())
            made.version = public
            return made, {"user_id": self.user_id, "usage": [usage], "keys": {f"ed25519:{public}": public}}
        (master, shown), (signs, signer) = key("master"), key("self_signing")
        self._post("device_signing/upload", {"master_key": shown,
                                             "self_signing_key": signedjson.sign.sign_json(signer, self.user_id, master)})
        device = self._post("query", {"device_keys": {self.user_id: [self.device]}})["device_keys"][self.user_id][self.device]
        device.pop("unsigned", None)
        failures = self._post("signatures/upload", {self.user_id: {
            self.device: signedjson.sign.sign_json(device, self.user_id, signs)}})["failures"]
        assert failures == {}, failures

    async def _said(self, room, event):
        opened = not isinstance(event, nio.MegolmEvent)
        if not opened:
            self._sealed[event.event_id] = event
        content = dict(event.source["content"])
        self.tell(Told({"told": event.event_id, "room": room.room_id, "sender": event.sender, "at": event.server_timestamp,
                        "sealed": not opened or event.decrypted, "opened": opened, "type": event.source["type"],
                        "content": content, "shield": 0, "why": None}))

    async def _retry(self, _):
        for name, event in list(self._sealed.items()):
            try:
                opened = self.client.decrypt_event(event)
            except nio.EncryptionError:
                continue
            if isinstance(opened, nio.RoomMessage):
                del self._sealed[name]
                await self._said(self.client.rooms[event.room_id], opened)

    async def say(self, room, text, **more):
        answer = await self.client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text, **more},
                                             ignore_unverified_devices=True)
        if not isinstance(answer, nio.RoomSendResponse):
            raise RuntimeError(f"{self.name} cannot say {text!r}: {answer}")
        return answer.event_id

    async def end(self):
        await Person.end(self)
        shutil.rmtree(self.folder, ignore_errors=True)

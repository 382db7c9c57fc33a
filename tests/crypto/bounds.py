"""What encryption costs, at a real Synapse. usage: bounds.py [figures]

Delay of a message, sharing of a first key with many devices, how long the loop is held, and memory. With a word behind it
prints the figures and holds nothing against them, for a machine that does other things, too."""
import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from helper import Helper
from readers import Strict
from sealed_bot import Bot, events

import vodozemac
from canonicaljson import encode_canonical_json
from synapse import Synapse

BOUNDS = {"median delay, ms": 5, "first sharing with 12 devices, ms": 500, "first sharing with 500 devices, ms": 5000,
          "loop held, ms": 5, "helper at 100 rooms, MB": 40}
SEALS, ROOMS = 1000, 100
DEVICES_EACH = 6


def http(synapse, token, method, path, body=None):
    request = urllib.request.Request(synapse.url + path, None if body is None else json.dumps(body).encode(),
                                     {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}, method=method)
    return json.load(urllib.request.urlopen(request, timeout=60))


class Key:
    """Of an identity: it signs."""

    def __init__(self, user, usage):
        self.account = vodozemac.Account()
        self.text = self.account.ed25519_key.to_base64()
        self.shown = {"user_id": user, "usage": [usage], "keys": {f"ed25519:{self.text}": self.text}}


def sign(account, name, user, json_):
    bare = {key: value for key, value in json_.items() if key not in ("signatures", "unsigned")}
    signature = account.sign(encode_canonical_json(bare)).to_base64()
    json_.setdefault("signatures", {}).setdefault(user, {})[f"ed25519:{name}"] = signature
    return json_


class Crowd:
    """People who only have devices with keys, signed."""

    def __init__(self, synapse, names, devices_each):
        self.synapse, self.people = synapse, {}
        for name in names:
            user, device, token = synapse.register(name)
            self.people[user] = token
            master, signs = Key(user, "master"), Key(user, "self_signing")
            self.call(token, "device_signing/upload", {"master_key": master.shown, "self_signing_key": sign(
                master.account, master.text, user, signs.shown)})
            self.device(user, device, token, signs)
            for _ in range(devices_each - 1):
                made = http(synapse, token, "POST", "/_matrix/client/v3/login", {
                    "type": "m.login.password", "identifier": {"type": "m.id.user", "user": user}, "password": "pass-" + name})
                self.device(user, made["device_id"], made["access_token"], signs)

    def call(self, token, path, body):
        return http(self.synapse, token, "POST", f"/_matrix/client/v3/keys/{path}", body)

    def device(self, user, device, token, signs):
        account = vodozemac.Account()
        account.generate_one_time_keys(8)
        keys = {"user_id": user, "device_id": device, "algorithms": ["m.olm.v1.curve25519-aes-sha2", "m.megolm.v1.aes-sha2"],
                "keys": {f"curve25519:{device}": account.curve25519_key.to_base64(), f"ed25519:{device}": account.ed25519_key.to_base64()}}
        one_time = {f"signed_curve25519:{name}": sign(account, device, user, {"key": key.to_base64()})
                    for name, key in account.one_time_keys.items()}
        self.call(token, "upload", {"device_keys": sign(account, device, user, keys), "one_time_keys": one_time})
        signed = sign(signs.account, signs.text, user, {**keys, "signatures": {}})
        failures = self.call(token, "signatures/upload", {user: {device: signed}})["failures"]
        assert failures == {}, failures

    def join(self, room):
        for token in self.people.values():
            http(self.synapse, token, "POST", f"/_matrix/client/v3/join/{urllib.parse.quote(room)}", {})


def resident_mb(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


class Device:
    """munchbot-crypto without munchbot: what it wants asked is asked at once."""

    def __init__(self, synapse, folder):
        self.synapse, self.helper = synapse, Helper()
        self.user, device, self.token = synapse.register("sealer")
        self.counts = {}
        self.helper.ask({"id": 0, "ask": "open", "path": f"{folder}/crypto", "user": self.user, "device": device, "keys": "signed"})
        self.asks("requests")
        self.asks("identity", replace=False, once=True)
        self.asks("requests")

    def asks(self, name, once=False, **more):
        while True:
            said = self.helper.ask({"id": 1, "ask": name, **more})
            assert "no" not in said, (name, said)
            first = said.get("first", [])
            for request in first:
                method = "PUT" if "/sendToDevice/" in request["path"] else "POST"
                body = http(self.synapse, self.token, method, request["path"], request["body"])
                self.helper.ask({"id": 2, "ask": "answered", "request": request["request"], "body": body})
            if once or not first:
                return said

    def seal(self, room, people, number):
        return self.asks("seal", room=room, readers=people, skip=[], visibility="joined", rotation_ms=604800000,
                         rotation_messages=1000000, type="m.room.message", content={"msgtype": "m.text", "body": f"Message {number}. " * 60})


def look_at_helper(synapse, figures):
    crowd = Crowd(synapse, ["reader"], 2)
    people = list(crowd.people)
    with tempfile.TemporaryDirectory() as folder:
        device = Device(synapse, folder)
        device.seal("!room:localhost", people, 0)
        delays = []
        for number in range(SEALS):
            began = time.perf_counter()
            device.seal("!room:localhost", people, number)
            delays.append((time.perf_counter() - began) * 1000)
        figures["median delay, ms"] = statistics.median(delays)
        for number in range(ROOMS):
            for _ in range(3):
                device.seal(f"!room{number}:localhost", people, number)
        figures["helper at 100 rooms, MB"] = resident_mb(device.helper.process.pid)
        assert device.helper.end() == 0


async def share(synapse, bot, host, crowd):
    """From when the bot is in a room until its first sealed word stands there, by the homeserver's clock."""
    room = await host.make_room([])
    for user in crowd.people:
        await host.does("invite", room=room, user=user)
    crowd.join(room)
    await host.does("invite", room=room, user=bot.user_id)
    await host.until("a welcome", lambda: any(each.room == room and each.opened for each in host.told.values()), 60)
    of_bot = [event for _, where, event in events(synapse) if where == room and event["sender"] == bot.user_id]
    joins, sealed = (next(event["origin_server_ts"] for event in of_bot if event["type"] == kind)
                     for kind in ("m.room.member", "m.room.encrypted"))
    with sqlite3.connect(f"file:{synapse.folder}/homeserver.db?mode=ro", uri=True) as store:
        shared = [user for user, _ in store.execute("SELECT DISTINCT user_id, device_id FROM device_inbox") if user in crowd.people]
    assert len(shared) == len(crowd.people) * DEVICES_EACH, f"{len(shared)} devices have the key"
    return sealed - joins


async def look_at_bot(synapse, figures):
    bot = Bot(synapse, "auto")
    host = Strict(synapse, "Ada")
    try:
        few = Crowd(synapse, ["c1", "c2"], DEVICES_EACH)
        many = Crowd(synapse, [f"m{number}" for number in range(83)], DEVICES_EACH)
        bot.start()
        await host.begin()
        for crowd, count in ((few, 12), (many, 500)):
            figures[f"first sharing with {count} devices, ms"] = await share(synapse, bot, host, crowd)
        assert bot.end() == 0
        figures["loop held, ms"] = int(bot.log().split("held_ms=")[-1].split()[0])
    finally:
        await host.end()
        bot.remove()


def main(*words):
    synapse = Synapse()
    figures = {}
    try:
        look_at_helper(synapse, figures)
        asyncio.run(look_at_bot(synapse, figures))
    finally:
        synapse.remove()
    for name, bound in BOUNDS.items():
        print(f"{name}: {figures[name]:.1f}, at most {bound}")
    return 0 if words or all(figures[name] <= bound for name, bound in BOUNDS.items()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

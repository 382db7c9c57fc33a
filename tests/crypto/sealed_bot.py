"""munchbot with keys of its own at a Synapse, and what the homeserver has of it."""
import base64
import collections
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess

import helper
import readers  # noqa: F401 # where the modules below are found
from munchbot import PROGRAM, ROOT, Munchbot

CLEAR = {"algorithm", "ciphertext", "device_id", "sender_key", "session_id", "m.relates_to", "org.munchbot.txn"}
QUIET = {"m.reaction", "m.room.redaction"}  # what nothing of a game stands in, and stays in clear


class Bot(Munchbot):
    """With keys, signed by `munchbot matrix login`, and with a fixed deal."""

    def __init__(self, synapse, encryption, deal=1):
        super().__init__(synapse)
        self.program = self.folder / "munchbot"
        shutil.copy(PROGRAM, self.program)
        shutil.copy(helper.PROGRAM, self.folder)
        self.environment = {
            "MUNCHBOT_DEAL": str(deal), "LD_PRELOAD": str(ROOT / "build" / "dev" / "tests" / "libfixed_deal.so"),
            "ASAN_OPTIONS": ":".join([*filter(None, [os.environ.get("ASAN_OPTIONS")]), "verify_asan_link_order=0"])}
        self.configure(f"token_file = {self.folder}/token", f"crypto_path = {self.folder}/crypto",
                       f"recovery_file = {self.folder}/recovery", f"encryption = {encryption}")
        self.log_in()

    def log_in(self):
        """A new device."""
        said = subprocess.run([self.program, "matrix", "login", "--config", self.folder / "munchbot.conf"], text=True,
                              input="pass-munchbot\n", capture_output=True, timeout=120)
        if said.returncode != 0 or "has signed the device" not in said.stdout + said.stderr:
            raise RuntimeError(f"login: {said}")

    @property
    def token(self):
        return (self.folder / "token").read_text().strip()

    def kill_helper(self):
        """Whether there was one."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        return len(children) > 0


def events(synapse):
    """All that the homeserver has, in its order."""
    with sqlite3.connect(f"file:{synapse.folder}/homeserver.db?mode=ro", uri=True) as store:
        for name, room, text in store.execute("SELECT event_id, events.room_id, json FROM event_json JOIN events USING (event_id) ORDER BY stream_ordering"):
            yield name, room, json.loads(text)


def index_of(ciphertext):
    """Of a message in its session, which stands in clear: a version, the field 1, a number of seven bits a byte."""
    data = base64.b64decode(ciphertext + "=" * (-len(ciphertext) % 4))
    assert data[:2] == b"\x03\x08", data[:2]
    index = shift = 0
    for byte in data[2:]:
        index |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return index
    raise AssertionError("no index")


def check_server(synapse, bot):
    """Nothing of the bot's stands in clear in a room that is encrypted; no key seals twice. With which session it sealed each
    event of each room."""
    encrypted, seen, sealed = set(), {}, collections.defaultdict(list)
    for name, room, event in events(synapse):
        kind, content = event["type"], event["content"]
        if kind == "m.room.encryption":
            encrypted.add(room)
        if event["sender"] != bot.user_id or "state_key" in event or kind in QUIET:
            continue
        if kind != "m.room.encrypted":
            assert room not in encrypted, f"in clear in {room}: {event}"
            continue
        assert set(content) <= CLEAR, content
        place = (content["session_id"], index_of(content["ciphertext"]))
        assert place not in seen, f"{place} is {seen[place]} and {name}"
        seen[place] = name
        sealed[room].append(content["session_id"])
    return sealed

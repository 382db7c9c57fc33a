"""A picture of a game in a real client: nheko under Xvfb, in rooms of version 11 (it knows no 12).

usage: picture.py FILE.png: the table's room, and beside it the hand room of one player. deploy/install client-pictures
installs what it needs beside Synapse and matrix-nio; tests/run does not draw it."""
import asyncio
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from game import NAMES, play
from munchbot import Munchbot
from people import Person
from synapse import Synapse

SIZE = (1066, 800)
DISPLAY = ":77"
SYNC_S, DRAW_S = 30, 4
# Where the client shows what, at that size: what a first login asks of encryption, its reminder, its list of rooms.
CANCEL = (1000, 761)
CLOSE = (208, 66)
ROOMS = [(130, 75), (130, 126)]
LIST_WIDTH = 223
PLAY_S = 40
CONFIGURATION = """\
[General]
run_without_secure_secrets_service=true

[auth]
access_token={token}
device_id={device}
home_server={url}
user_id={user}

[user]
theme=light
"""


class Client:
    """nheko, logged in as one of the people, on a screen of its own."""

    def __init__(self, synapse, person):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="munchbot-nheko-"))
        place = self.home / ".config/nheko"
        place.mkdir(parents=True)
        (place / "nheko.conf").write_text(CONFIGURATION.format(token=person.client.access_token, url=synapse.url,
                                                               device=person.client.device_id, user=person.user_id))
        self.environment = {**os.environ, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home), "DISPLAY": DISPLAY,
                            "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.screen = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"])

    async def begin(self):
        await asyncio.sleep(1)
        with open(self.home / "log", "wb") as log:
            self.program = subprocess.Popen(["dbus-run-session", "nheko"], env=self.environment, stdout=log, stderr=log)
        await asyncio.sleep(SYNC_S)
        await self.do("search", "--sync", "--onlyvisible", "--name", "nheko", "windowmove", "0", "0", "windowsize", *SIZE)
        await self.click(*CANCEL)
        await self.click(*CLOSE)

    async def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True, timeout=30)
        await asyncio.sleep(DRAW_S)

    async def click(self, x, y):
        await self.do("mousemove", x, y, "sleep", 1, "mousedown", 1, "sleep", 0.2, "mouseup", 1)

    async def shoot(self, room, file):
        await self.click(*room)
        subprocess.run(["import", "-window", "root", "-crop", f"{SIZE[0] - LIST_WIDTH}x{SIZE[1]}+{LIST_WIDTH}+0", "+repage",
                        str(file)], env=self.environment, check=True)
        return str(file)

    def end(self):
        self.program.terminate()
        self.program.wait()
        self.screen.terminate()
        self.screen.wait()
        shutil.rmtree(self.home, ignore_errors=True)


async def main(file):
    async with contextlib.AsyncExitStack() as ends:
        synapse = Synapse("11")
        ends.callback(synapse.remove)
        bot = Munchbot(synapse)
        ends.callback(bot.remove)
        bot.start()
        people = [Person(synapse, name) for name in NAMES]
        for person in people:
            await person.begin()
            ends.push_async_callback(person.end)
        await play(people, bot, PLAY_S, 0)
        client = Client(synapse, people[0])
        ends.callback(client.end)
        await client.begin()
        shots = [await client.shoot(at, client.home / f"{number}.png") for number, at in enumerate(ROOMS)]
        subprocess.run(["convert", *shots, "+append", "-colors", "64", f"PNG8:{file}"], check=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

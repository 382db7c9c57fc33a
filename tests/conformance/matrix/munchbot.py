"""The program itself as a process: `munchbot run` at a Synapse, with a store of its own."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("MUNCHBOT", ROOT / "build" / "dev" / "munchbot")


class Munchbot:
    def __init__(self, synapse, name="munchbot"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="munchbot-"))
        self.user_id, self.device, self._token = synapse.register(name)
        (self.folder / "munchbot.conf").write_text(f"""\
[munchbot]
store = sqlite:{self.folder}/tables.db
commands_per_second = 100
log = debug
[matrix]
homeserver = {synapse.url}
user_id = {self.user_id}
device_id = {self.device}
""")

    def start(self, seconds=60):
        self._log = open(self.folder / "log", "ab")
        before = self.log().count("event=connected")
        self._process = subprocess.Popen(
            [PROGRAM, "run", "--config", self.folder / "munchbot.conf"], stdin=subprocess.DEVNULL, stdout=self._log,
            stderr=self._log, env={**os.environ, "MUNCHBOT_MATRIX_TOKEN": self._token})
        end = time.monotonic() + seconds
        while self.log().count("event=connected") == before:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("munchbot does not connect:\n" + self.log()[-3000:])
            time.sleep(0.05)

    def log(self):
        return (self.folder / "log").read_text()

    def end(self, how=signal.SIGTERM):
        """As an operator would end it, or with SIGKILL; its exit status."""
        self._process.send_signal(how)
        status = self._process.wait()
        self._log.close()
        return status

    def remove(self):
        if self._process.poll() is None:
            self.end(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

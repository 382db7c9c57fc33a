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
    program = PROGRAM

    def __init__(self, synapse, name="munchbot"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="munchbot-"))
        self.synapse = synapse
        self.user_id, self.device, token = synapse.register(name)
        self.environment = {"MUNCHBOT_MATRIX_TOKEN": token}
        self.configure(f"device_id = {self.device}")

    def configure(self, *matrix):
        """`matrix`: lines of that section."""
        (self.folder / "munchbot.conf").write_text("\n".join([
            "[munchbot]", f"store = sqlite:{self.folder}/tables.db", "commands_per_second = 100", "log = debug",
            "[matrix]", f"homeserver = {self.synapse.url}", f"user_id = {self.user_id}", *matrix, ""]))

    def start(self, seconds=60):
        self._log = open(self.folder / "log", "ab")
        before = self.log().count("event=connected")
        self.process = subprocess.Popen(
            [self.program, "run", "--config", self.folder / "munchbot.conf"], stdin=subprocess.DEVNULL, stdout=self._log,
            stderr=self._log, env={**os.environ, **self.environment})
        end = time.monotonic() + seconds
        while self.log().count("event=connected") == before:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("munchbot does not connect:\n" + self.log()[-3000:])
            time.sleep(0.05)

    def log(self):
        return (self.folder / "log").read_text()

    def end(self, how=signal.SIGTERM):
        """As an operator would end it, or with SIGKILL; its exit status."""
        self.process.send_signal(how)
        status = self.process.wait()
        self._log.close()
        return status

    def remove(self):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

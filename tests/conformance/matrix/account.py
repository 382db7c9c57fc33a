"""`munchbot matrix login` and `check` at a real homeserver."""
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile

from munchbot import PROGRAM
from synapse import Synapse


class Account:
    def __init__(self, synapse):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="munchbot-"))
        self.token = self.folder / "token"
        self.user_id, _, _ = synapse.register("munchbot")
        self.configure(synapse.url, self.user_id)

    def configure(self, url, user_id):
        (self.folder / "munchbot.conf").write_text(
            f"[matrix]\nhomeserver = {url}\nuser_id = {user_id}\ndevice_id = TABLES\ntoken_file = {self.token}\n")

    def run(self, what, wanted, password=None, **environment):
        """Runs it: what it printed and complained, if it ended as wanted."""
        done = subprocess.run([PROGRAM, "matrix", what, "--config", self.folder / "munchbot.conf"], text=True,
                              input=password or "", capture_output=True, env={**os.environ, **environment}, timeout=60)
        assert done.returncode == wanted, (what, done)
        assert password is None or password.strip() not in done.stdout + done.stderr
        return done.stdout + done.stderr


def look(synapse, account):
    assert "no password" in account.run("login", 1)
    assert "rejected user_id or password" in account.run("login", 1, "nonsense-nonsense\n")
    assert not account.token.exists()
    assert "cannot read" in account.run("check", 1)
    assert f"{account.user_id}, device TABLES" in account.run("login", 0, "pass-munchbot\n")
    assert stat.S_IMODE(account.token.stat().st_mode) == 0o600
    assert account.token.read_text().strip() not in account.run("check", 0)
    account.run("login", 0, MUNCHBOT_MATRIX_PASSWORD="pass-munchbot")
    assert "No problem found." in account.run("check", 0)
    account.configure(synapse.url, "@somebody:localhost")
    assert "the token belongs to @munchbot:localhost" in account.run("check", 1)
    account.configure(synapse.url, account.user_id)
    account.token.write_text("nonsense\n")
    said = account.run("check", 1)
    assert "rejected the token" in said, said
    synapse.stop()
    assert "does not answer as a homeserver" in account.run("check", 1)


def forced(account):
    assert "encrypts every private room" in account.run("check", 1, MUNCHBOT_MATRIX_TOKEN="any")


def main():
    for more, test in [("", look), ("encryption_enabled_by_default_for_room_type: all\n", forced)]:
        synapse = Synapse(more=more)
        account = Account(synapse)
        try:
            test(synapse, account) if test is look else test(account)
        finally:
            shutil.rmtree(account.folder)
            synapse.remove()
    print("login and check: good")


if __name__ == "__main__":
    main()

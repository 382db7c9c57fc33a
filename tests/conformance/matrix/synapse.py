"""A Synapse of one's own on loopback, from an empty folder to its end."""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FAST = "{per_second: 10000, burst_count: 10000}"
# What users have: only what many people from one address need is loosened.
LIMITS = f"rc_registration: {FAST}\nrc_login: {{address: {FAST}, account: {FAST}, failed_attempts: {FAST}}}\n"
NO_LIMITS = LIMITS + "".join(
    f"rc_{name}: {rule}\n" for name, rule in {
        "message": FAST,
        "joins": f"{{local: {FAST}, remote: {FAST}}}",
        "joins_per_room": FAST,
        "invites": f"{{per_room: {FAST}, per_user: {FAST}, per_issuer: {FAST}}}",
        "room_creation": FAST,
        "presence": f"{{per_user: {FAST}}}",
        "profile": FAST,
        "media_create": FAST,
        "key_requests": FAST,
        "reports": FAST,
        "user_directory": FAST,
    }.items())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Synapse:
    """`room_version`: of new rooms. `more`: lines of configuration."""

    def __init__(self, room_version="12", limits=False, more=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="munchbot-synapse-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._run = [sys.executable, "-m", "synapse.app.homeserver"]
        (self.folder / "test.yaml").write_text(f"""\
public_baseurl: {self.url}/
listeners:
  - {{port: {self.port}, bind_addresses: ["127.0.0.1"], type: http, tls: false, resources: [{{names: [client]}}]}}
trusted_key_servers: []
suppress_key_server_warning: true
federation_domain_whitelist: []
enable_registration: true
enable_registration_without_verification: true
bcrypt_rounds: 4
default_room_version: "{room_version}"
{LIMITS if limits else NO_LIMITS}{more}""")
        subprocess.run(self._run + ["--server-name", "localhost", "--config-path", "hs.yaml", "--generate-config",
                                    "--report-stats=no"], cwd=self.folder, check=True, capture_output=True)
        self.start()

    def start(self):
        self._log = open(self.folder / "stdout.log", "ab")
        self._process = subprocess.Popen(self._run + ["-c", "hs.yaml", "-c", "test.yaml"], cwd=self.folder,
                                         stdout=self._log, stderr=self._log)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/_matrix/client/versions", timeout=5).read()
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self._process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError("Synapse does not start:\n" + (self.folder / "stdout.log").read_text()[-2000:])

    def stop(self):
        self._process.terminate()
        self._process.wait()
        self._log.close()

    def remove(self):
        if self._process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def register(self, name):
        """A new account: its user id, device id and token."""
        body = {"username": name, "password": "pass-" + name, "auth": {"type": "m.login.dummy"}}
        request = urllib.request.Request(f"{self.url}/_matrix/client/v3/register", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        answer = json.load(urllib.request.urlopen(request, timeout=30))
        return answer["user_id"], answer["device_id"], answer["access_token"]

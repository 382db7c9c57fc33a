"""What munchbot-crypto does with its socket: it answers, keeps its store to itself, and ends with its process."""

import os
import stat
import tempfile

from helper import Helper


def opened(folder, device="ONE"):
    return {"id": 1, "ask": "open", "path": folder, "user": "@bot:x", "device": device, "keys": "signed"}


with tempfile.TemporaryDirectory() as place:
    folder = os.path.join(place, "crypto", "ONE")
    first = Helper()
    assert first.ask({"id": "a", "ask": "status"}) == {"id": "a", "no": "bad-ask"}
    keys = first.ask(opened(folder))
    assert keys["id"] == 1 and len(keys["ed25519"]) == 43 and keys["signed"] is False
    for name in [folder, *(os.path.join(folder, name) for name in os.listdir(folder))]:
        assert stat.S_IMODE(os.stat(name).st_mode) & 0o077 == 0, name
    second = Helper()
    assert second.ask(opened(folder)) == {"id": 1, "no": "locked"}
    assert first.ask(opened(folder)) == {"id": 1, "no": "bad-ask"}
    # Sixty-four asks under way are answered in their order.
    for number in range(64):
        first.send({"id": number, "ask": "status"})
    assert [first.answer()["id"] for _ in range(64)] == list(range(64))
    # Sealing what has no key yet asks for more, and stops nothing.
    seal = {"id": 2, "ask": "seal", "room": "!r:x", "readers": ["@ann:x"], "visibility": "joined", "type": "m.room.message",
            "rotation_ms": 604800000, "rotation_messages": 100, "content": {"body": "secret"}}
    assert {request["kind"] for request in first.ask(seal)["first"]} == {"query"}
    first.process.kill()
    first.process.wait()
    # The lock has gone with its process.
    third = Helper()
    assert third.ask(opened(folder))["ed25519"] == keys["ed25519"]
    assert third.end() == 0
    assert second.end(b"\0\0") == 1
    endless = Helper()
    endless.socket.sendall(b"\xff\xff\xff\xff")
    assert endless.process.wait(timeout=20) == 1

print("munchbot-crypto speaks")

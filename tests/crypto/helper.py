"""munchbot-crypto as its process has it: asks and answers on a socket."""
import json
import pathlib
import socket
import struct
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "crypto" / "release" / "munchbot-crypto"


class Helper:
    def __init__(self):
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(20)
        self.process = subprocess.Popen([PROGRAM], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        theirs.close()

    def send(self, ask):
        frame = json.dumps(ask).encode()
        self.socket.sendall(struct.pack(">I", len(frame)) + frame)

    def read(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            assert part, "the socket was closed"
            data += part
        return data

    def answer(self):
        return json.loads(self.read(struct.unpack(">I", self.read(4))[0]))

    def ask(self, ask):
        self.send(ask)
        return self.answer()

    def end(self, cut=b""):
        self.socket.sendall(cut)
        self.socket.shutdown(socket.SHUT_WR)
        out, err = self.process.communicate(timeout=20)
        assert out == b"" and err == b"", (out, err)
        return self.process.returncode

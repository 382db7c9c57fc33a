#!/usr/bin/env python3
"""A soak on stores with bytes that are wrong: it ends each time, soon, and if it has not played says why in one line.
Prints how it ended how often. usage: spoilt.py MUNCHBOT [STORES]"""
import collections
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

GAMES, LONGEST_S, PAGE = 3, 120, 4096


def spoil_bytes(path, chance):
    """A few bytes anywhere, one page whole, or the file's end."""
    data = bytearray(path.read_bytes())
    how = chance.randrange(3)
    if how == 0:
        at = chance.randrange(1, len(data) // PAGE) * PAGE
        data[at:at + PAGE] = chance.randbytes(PAGE)
    elif how == 1:
        del data[chance.randrange(PAGE, len(data)):]
    else:
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)


def worse(value, chance):
    if isinstance(value, bytes) and value:
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1:]
    if isinstance(value, str) and value:
        return value[:-1] + chr(ord(value[-1]) ^ 1)
    return value + chance.choice((-1, 1, 1 << 40)) if isinstance(value, int) else "?"


def spoil_rows(path, chance):
    """Some values of some rows: the file is whole."""
    with sqlite3.connect(path) as store:
        tables = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(chance.choice((1, 5, 100))):
            table = chance.choice(tables)
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            row = store.execute(f"SELECT * FROM {table} ORDER BY random() LIMIT 1").fetchone()
            if row is not None:
                at = chance.randrange(len(columns))
                wanted = " AND ".join(f"{column} IS ?" for column in columns)
                try:
                    store.execute(f"UPDATE {table} SET {columns[at]} = ? WHERE {wanted}", (worse(row[at], chance), *row))
                except sqlite3.Error:
                    pass  # the file itself bars it
    store.close()


def soak(program, path, games):
    return subprocess.run([program, "soak", "--store", f"sqlite:{path}", "--tables", "2", "--games", str(games),
                           "--verify"], capture_output=True, text=True, timeout=LONGEST_S)


def main():
    program = sys.argv[1]
    stores = int(sys.argv[2]) if len(sys.argv) > 2 else 24
    ends = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        good = pathlib.Path(folder, "good.db")
        if soak(program, good, GAMES).returncode != 0:
            sys.exit("the first soak fails")
        for number in range(stores):
            path = pathlib.Path(folder, f"{number}.db")
            for end in ("", "-wal", "-shm"):
                if good.with_name(good.name + end).exists():
                    shutil.copy(good.with_name(good.name + end), path.with_name(path.name + end))
            chance = random.Random(number)
            (spoil_bytes if number % 2 == 0 else spoil_rows)(path, chance)
            try:
                done = soak(program, path, 2 * GAMES)
            except subprocess.TimeoutExpired:
                sys.exit(f"store {number}: no end in {LONGEST_S} s")
            words = [line for line in done.stderr.splitlines() if "makecontext" not in line]  # ASan warns of fibres
            if done.returncode not in (0, 1) or (done.returncode == 1) != (len(words) == 1) or (
                    words and not re.fullmatch(r"munchbot soak: .{10,}", words[0])):
                sys.exit(f"store {number}: {done.returncode}, {done.stdout}{done.stderr}")
            ends[re.sub(r"\d+", "N", words[0]) if words else "played"] += 1
    for words, count in ends.most_common():
        print(f"{count:3} {words}")


main()

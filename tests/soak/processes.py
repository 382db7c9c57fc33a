#!/usr/bin/env python3
"""Several `munchbot soak` on one store at once: each plays the same games, beginning with another one, so that they meet.
Every line counts once, every journal agrees with its game, all tell the same games, and each thing is said under one
key: as many narrations at a place as its table has committed, one message a board. Who dies, stands still or is slow for
longer than its lease may have shown something and not told the store: that comes again, from whoever takes over, under
the same key, by which a platform knows it. Those are counted apart; one process alone never says a key twice.
With "stop" one is stopped for longer than its lease, again and again, with "kill" one is killed and begun anew.
Ends with the line "N games, V verified by P processes, L lost, D doubled"; exit status 0 only without the last two.
usage: processes.py MUNCHBOT STORE PROCESSES GAMES [SPEED] [calm | stop | kill]; STORE may be "sqlite": a new file"""
import collections
import contextlib
import json
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


def begin(arguments, folder, number):
    program, store, processes, games, speed = arguments
    command = [program, "soak", "--store", store, "--games", str(games), "--tables", str(max(games // processes, 2)),
               "--first", str(1 + number * games // processes), "--speed", str(speed), "--verify", "--json",
               "--policy", "rookie,regular,ruthless", "--platform", str(folder / f"platform-{number}")]
    output = open(folder / f"output-{number}", "w+")
    return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)


def disturb(arguments, folder, running, how, chance):
    """Now and then one of them stands still, or dies and is begun anew; some go on undisturbed."""
    while sum(one.poll() is None for one in running) == len(running):
        time.sleep(chance.uniform(0.1, 0.5))
        number = chance.randrange(len(running) - 1)
        one = running[number]
        if how == "stop":
            one.send_signal(signal.SIGSTOP)
            time.sleep(chance.uniform(0.3, 1.5))
            one.send_signal(signal.SIGCONT)
        elif one.poll() is None:
            one.kill()
            one.wait()
            running[number] = begin(arguments, folder, number)


NARRATION, CARD, HAND = "0", "1", "3"


def shown(folder, processes):
    """What was shown under each key, and how often it came again, to another process's platform."""
    keys, again = {}, 0
    for number in range(processes):
        for line in (folder / f"platform-{number}").read_text().splitlines():
            key, kind, reader, _, how = line.split()
            again += key in keys
            keys[key] = kind, reader, how
    return keys, again


def narrated(store):
    """How many narrations were committed for each place: the store numbers those of a table from 1 on."""
    query = "SELECT place, max(line) FROM place JOIN narration USING (table_id) GROUP BY place"
    if store.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(store.removeprefix("sqlite:"))) as file:
            return dict(file.execute(query))
    rows = subprocess.run(["psql", "-X", "-q", "-At", "-F", " ", "-d", store, "-c", "SET search_path = munchbot", "-c", query],
                          check=True, capture_output=True, text=True).stdout
    return {place: int(count) for place, count in (row.split() for row in rows.splitlines())}


def differences(keys, committed):
    """What was said under no key, or under two."""
    said = collections.Counter(reader for kind, reader, _ in keys.values() if kind == NARRATION)
    boards = collections.Counter(what[:2] for what in keys.values() if what[0] in (CARD, HAND) and what[2] == "new")
    lost = doubled = 0
    for place in committed.keys() | said.keys():
        if said[place] != committed.get(place, 0):
            print(f"{place}: {committed.get(place, 0)} narrations were committed, {said[place]} shown")
        lost += max(committed.get(place, 0) - said[place], 0)
        doubled += max(said[place] - committed.get(place, 0), 0)
    for (kind, reader), count in boards.items():
        if count > 1:
            under = [key for key, what in keys.items() if what == (kind, reader, "new")]
            print(f"{reader}: a board of kind {kind} was made {count} times: {' '.join(under)}")
            doubled += count - 1
    return lost, doubled


def tell(arguments, folder, running, how):
    """Lets them play; what each says at its end."""
    for number in range(arguments[2]):
        running.append(begin(arguments, folder, number))
        time.sleep(0.2)  # the first makes the store
    if how != "calm":
        disturb(arguments, folder, running, how, random.Random(1))
    reports = []
    for number, one in enumerate(running):
        one.wait()
        output = (folder / f"output-{number}").read_text()
        if one.returncode != 0:
            sys.exit(f"process {number} failed: {output}")
        reports.append(json.loads(output.splitlines()[-1]))  # ASan warns of fibres before
    return reports


def main():
    program, store, processes, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    speed = float(sys.argv[5]) if len(sys.argv) > 5 else 20
    how = sys.argv[6] if len(sys.argv) > 6 else "calm"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        arguments = (program, f"sqlite:{folder}/tables.db" if store == "sqlite" else store, processes, games, speed)
        running = []
        try:
            reports = tell(arguments, folder, running, how)
        finally:
            for one in running:
                one.kill()
        lost = min(report["messages"]["lost"] for report in reports)  # who ends first sees what others still say
        keys, again = shown(folder, processes)
        unsaid, doubled = differences(keys, narrated(arguments[1]))
        lost += unsaid
        for report in reports:
            if report["games"] != reports[0]["games"] or report["finished"] != games or report["verified"] != games:
                sys.exit(f"they tell other games:\n{json.dumps(reports[0])}\n{json.dumps(report)}")
        total = {word: sum(report[word] for report in reports) for word in ("commits", "conflicts", "repeated")}
        print(f"{total['commits']} commits, {total['conflicts']} conflicts, {total['repeated']} heard twice, "
              f"{max(report['seconds'] for report in reports):.1f} s, {again} shown again under their keys")
        print(f"{games} games, {games} verified by {processes} processes, {lost} lost, {doubled} doubled")
        sys.exit(0 if lost == doubled == 0 else 1)


main()

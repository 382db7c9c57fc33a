#!/usr/bin/env python3
"""Several `munchbot soak` on one store at once: each plays the same games, beginning with another one, so that they meet.
Every line counts once, every message is shown once, every journal agrees with its game, and all tell the same games.
With "stop" one is stopped for longer than its lease, again and again, with "kill" one is killed and begun anew; what
such a one had shown and not yet told the store comes again under its key, which a platform knows: nothing else may.
Ends with the line "N games, V verified by P processes, L lost, D doubled"; exit status 0 only without the last two.
usage: processes.py MUNCHBOT STORE PROCESSES GAMES [SPEED] [calm | stop | kill]; STORE may be "sqlite": a new file"""
import collections
import json
import pathlib
import random
import signal
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


def shown(folder, processes):
    """How often each message was shown."""
    keys = collections.Counter()
    for number in range(processes):
        for line in (folder / f"platform-{number}").read_text().splitlines():
            keys[line.split()[0]] += 1
    return keys


def main():
    program, store, processes, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    speed = float(sys.argv[5]) if len(sys.argv) > 5 else 20
    how = sys.argv[6] if len(sys.argv) > 6 else "calm"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        arguments = (program, f"sqlite:{folder}/tables.db" if store == "sqlite" else store, processes, games, speed)
        running = []
        for number in range(processes):
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
            reports.append(json.loads(output))
        lost = min(report["messages"]["lost"] for report in reports)  # who ends first sees what others still say
        again = sum(count - 1 for count in shown(folder, processes).values())
        doubled = again if how == "calm" else 0
        for report in reports:
            if report["games"] != reports[0]["games"] or report["finished"] != games or report["verified"] != games:
                sys.exit(f"they tell other games:\n{json.dumps(reports[0])}\n{json.dumps(report)}")
        total = {word: sum(report[word] for report in reports) for word in ("commits", "conflicts", "repeated")}
        print(f"{total['commits']} commits, {total['conflicts']} conflicts, {total['repeated']} heard twice, "
              f"{max(report['seconds'] for report in reports):.1f} s, {again} shown again under their keys")
        print(f"{games} games, {games} verified by {processes} processes, {lost} lost, {doubled} doubled")
        sys.exit(0 if lost == doubled == 0 else 1)


main()

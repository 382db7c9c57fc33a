#!/usr/bin/env python3
"""Kills `munchbot soak` at random points and lets it go on, until its games are over; the platform (a file)
outlives it. Games and messages must be those of a run that nobody disturbed, on a copy of the same store: every
narration and whisper once and in order, and the last card and hands the same. Ends with the line
"N kills, L lost, D doubled"; exit status 0 only without either. With --scarce the program SCARCE
(tests/support/failing_alloc.c) ends itself for want of memory instead, in one round: two thirds of the times at an
allocation up to the 200th behind its start, then at ever later ones.
usage: kill.py MUNCHBOT KILLS [SEED | --scarce SCARCE]"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

NARRATION, CARD, WHISPER, HAND, REPLY = range(5)
GAMES = 6


def command(program, folder, games):
    return [program, "soak", "--store", f"sqlite:{folder}/tables.db", "--platform", f"{folder}/platform", "--games", str(games),
            "--tables", "3", "--policy", "rookie,regular,ruthless", "--json"]


def shown(folder):
    """What each reader has been shown: posts in their order, the last of each board, and how many messages it was."""
    posts, boards, made = {}, {}, {}
    for line in (folder / "platform").read_text().splitlines():
        _, kind, reader, text, how = line.split()
        if int(kind) in (NARRATION, WHISPER):
            posts.setdefault(reader, []).append(text)
        elif int(kind) in (CARD, HAND):
            boards[kind, reader] = text
            made[kind, reader] = made.get((kind, reader), 0) + (how == "new")
    return posts, boards, made


def differences(wanted, got):
    lost = doubled = 0
    for reader, texts in wanted.items():
        there = got.get(reader, [])
        lost += sum(max(texts.count(text) - there.count(text), 0) for text in set(texts))
        if texts != there:
            print(f"{reader}: {len(texts)} posts, {len(there)} shown")
    for reader, texts in got.items():
        doubled += sum(max(texts.count(text) - wanted.get(reader, []).count(text), 0) for text in set(texts))
    return lost, doubled


def run(program, folder, games):
    done = subprocess.run(command(program, folder, games), capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"soak failed: {done.stderr}")
    return json.loads(done.stdout)


def kill_often(program, folder, kills, chance, longest):
    """Kills after a random time until enough were killed; then lets it end."""
    killed = 0
    while killed < kills:
        process = subprocess.Popen(command(program, folder, GAMES), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(chance.uniform(0.005, longest))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        if process.wait() not in (0, -9):
            sys.exit(f"soak failed after {killed} kills: {process.stderr.read().decode()}")
        if process.returncode == 0:
            return killed
    return killed


def abort_often(scarce, folder, aborts):
    early = aborts * 2 // 3
    places = [1 + 200 * i // early for i in range(early)] + [200 + 100 * (i + 1) for i in range(aborts - early)]
    for place in places:
        done = subprocess.run(command(scarce, folder, GAMES), capture_output=True, timeout=600,
                              env={**os.environ, "MUNCHBOT_ABORT_AT": str(place)})
        if done.returncode != -6 or b"munchbot: out of memory" not in done.stderr:
            sys.exit(f"allocation {place}: exit status {done.returncode}, {done.stderr.decode()}")
    return len(places)


def once(program, disturb):
    """One round: both runs; returns kills, lost, doubled. disturb(folder, seconds) kills, and says how often."""
    with tempfile.TemporaryDirectory() as place:
        calm, wild = pathlib.Path(place, "calm"), pathlib.Path(place, "wild")
        calm.mkdir()
        run(program, calm, 1)  # makes the store and its secret: one game is in both
        shutil.copytree(calm, wild)
        wanted = run(program, calm, GAMES)
        killed = disturb(wild, wanted["seconds"])
        got = run(program, wild, GAMES)
        if got["games"] != wanted["games"]:
            sys.exit(f"other games:\n{json.dumps(wanted['games'])}\n{json.dumps(got['games'])}")
        posts, boards, made = shown(calm)
        posts_got, boards_got, made_got = shown(wild)
        lost, doubled = differences(posts, posts_got)
        lost += sum(boards_got.get(board) != text for board, text in boards.items()) + got["messages"]["lost"]
        doubled += sum(max(count - made.get(board, 0), 0) for board, count in made_got.items())
        return killed, lost, doubled


def main():
    program, wanted = sys.argv[1], int(sys.argv[2])
    scarce = sys.argv[4] if sys.argv[3:4] == ["--scarce"] else None
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    total = [0, 0, 0]

    def disturb(folder, seconds):
        if scarce:
            return abort_often(scarce, folder, wanted)
        return kill_often(program, folder, wanted - total[0], chance, max(seconds / 4, 0.05))

    while total[0] < wanted:
        total = [a + b for a, b in zip(total, once(program, disturb))]
    print("{} kills, {} lost, {} doubled".format(*total))
    sys.exit(0 if total[1] == total[2] == 0 else 1)


main()

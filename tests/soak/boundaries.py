#!/usr/bin/env python3
"""A game during which processes die at every boundary of a commit and of an outcome (tests/soak/boundaries.c): game and
messages must be those of one that nobody disturbed, on a copy of the same store. Each message is shown once, each board
is one message, and the last that it shows is the same. Ends with the line "N deaths, L lost, D doubled".
usage: boundaries.py BOUNDARIES"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

NARRATION, CARD, WHISPER, HAND, REPLY = range(5)
WAYS = ("commit-before", "commit-after", "outcome-before", "outcome-after")


def play(program, folder, games, way):
    """The games that are over, and how often somebody died."""
    done = subprocess.run([program, folder / "tables.db", folder / "platform", str(games), way], capture_output=True, text=True,
                          timeout=600)
    if done.returncode != 0:
        sys.exit(f"{way}: {done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    return lines[:-1], int(lines[-1].split()[0])


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


def main():
    deaths = lost = doubled = 0
    program = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        first = pathlib.Path(place, "first")
        first.mkdir()
        play(program, first, 1, "none")  # makes the store and its secret
        calm = pathlib.Path(place, "calm")
        shutil.copytree(first, calm)
        games, none = play(program, calm, 2, "none")
        assert none == 0
        posts, boards, made = shown(calm)
        for way in WAYS:
            wild = pathlib.Path(place, way)
            shutil.copytree(first, wild)
            games_got, died = play(program, wild, 2, way)
            if games_got != games or died < 50:
                sys.exit(f"{way}: {died} deaths, {games_got} instead of {games}")
            posts_got, boards_got, made_got = shown(wild)
            for reader in posts.keys() | posts_got.keys():
                wanted, got = posts.get(reader, []), posts_got.get(reader, [])
                lost += sum(max(wanted.count(text) - got.count(text), 0) for text in set(wanted))
                doubled += sum(max(got.count(text) - wanted.count(text), 0) for text in set(got))
                if wanted != got:
                    print(f"{way}, {reader}: {len(wanted)} posts, {len(got)} shown")
            lost += sum(boards_got.get(board) != text for board, text in boards.items())
            doubled += sum(max(count - made.get(board, 0), 0) for board, count in made_got.items())
            deaths += died
    print(f"{deaths} deaths, {lost} lost, {doubled} doubled")
    sys.exit(0 if lost == doubled == 0 else 1)


main()

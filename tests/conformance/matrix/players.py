"""People who play by typing alone: they ask in their hand room what they can say, and say it."""
import random
import re

# What is done first; the rest by chance, what ends a turn last.
ORDER = ["choose", "fight", "kick", "take", "run", "accept", "pass", "loot", "charity", "equip", "play", "sell", "done",
         "discard"]
RELUCTANT = {"play", "sell", "equip"}
ASKED = re.compile(r" (?:must|may|wants?|would|is about to|are about to) |says \"(?:!munch )?done\"")


def awaited(players, card):
    """Whom a table's card waits for: all, where it does not tell."""
    line = next((each for each in card.split("\n") if ASKED.search(each)), "")
    return [player for player in players if player.person.name in line] or players


class Player:
    """`patience`: seconds that they wait for what comes of a line. `tries`: how often they say it then."""

    def __init__(self, person, bot, seed, patience=60, tries=1):
        self.patience, self.tries = patience, tries
        self.person = person
        self.bot = bot
        self.random = random.Random(seed)
        self.said = 0

    async def _say(self, line, what, seen):
        """Says it in the hand room, again if it comes to nothing: how much they had seen before."""
        room = await self.person.until("a hand room", lambda: self.person.hand_room(self.bot), 60)
        for left in reversed(range(self.tries)):
            before = seen(room)
            self.said += 1
            await self.person.say(room, line)
            try:
                await self.person.until(f"{what} {line!r}", lambda: seen(room) > before + 1, self.patience)
                return room, before
            except TimeoutError:
                if left == 0:
                    raise

    async def ask(self, line):
        """Says it in the hand room: the answer."""
        room, before = await self._say(line, "an answer to", lambda room: len(self.person.order.get(room, [])))
        return self.person.texts(room)[before + 1]

    async def do(self, line):
        """Says it in the hand room, and waits for what comes of it anywhere."""
        await self._say(line, "anything of", lambda _: self.person.events)

    async def moves(self):
        text = await self.ask("help")
        return [line.strip() for line in text.split("\n") if re.match(r" {2}[a-z]", line)]

    async def act(self):
        """One move that gets the game on, if there is any."""
        moves = [move for move in await self.moves() if "<" not in move]
        moves = [move for move in moves if not re.match(r"play .* on ", move) or self.random.random() < 0.1]
        for verb in ORDER:
            of = [move for move in moves if move.split(" ")[0] == verb]
            if not of or (verb in RELUCTANT and self.random.random() < 0.4):
                continue
            line = self.random.choice(of)
            await self.do(line)
            return line
        return None

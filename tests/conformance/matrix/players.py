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
    def __init__(self, person, bot, seed):
        self.person = person
        self.bot = bot
        self.random = random.Random(seed)
        self.said = 0

    async def ask(self, line):
        """Says it in the hand room: the answer."""
        room = await self.person.until("a hand room", lambda: self.person.hand_room(self.bot), 60)
        before = len(self.person.order.get(room, []))
        self.said += 1
        await self.person.say(room, line)
        await self.person.until(f"an answer to {line!r}",
                                lambda: len(self.person.order.get(room, [])) > before + 1, 60)
        return self.person.texts(room)[before + 1]

    async def do(self, line):
        """Says it in the hand room, and waits for what comes of it anywhere."""
        room = self.person.hand_room(self.bot)
        before = self.person.events
        self.said += 1
        await self.person.say(room, line)
        await self.person.until(f"anything of {line!r}", lambda: self.person.events > before + 1, 60)

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

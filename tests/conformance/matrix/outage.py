"""The homeserver is gone for a minute in the middle of the deal: the game waits, and goes on where it was."""
import asyncio

import game
from munchbot import Munchbot
from people import Person
from players import Player
from synapse import Synapse

GONE_S = 60


async def main():
    synapse = Synapse()
    bot = Munchbot(synapse)
    people = []
    try:
        bot.start()
        people = [Person(synapse, name) for name in game.NAMES]
        for person in people:
            await person.begin()
        room = await game.seat(people, bot)
        synapse.stop()
        await asyncio.sleep(GONE_S)
        synapse.start()
        players = [Player(person, bot.user_id, seed) for seed, person in enumerate(people)]
        for player in players:  # each has a hand by now, or soon
            await player.person.until("a hand room", lambda player=player: player.person.hand_room(bot.user_id), 240)
            await player.act()
        # Nobody's time has passed meanwhile: no stand-in, no reminder.
        said = "\n".join(people[0].texts(room, bot.user_id))
        assert "stand-in" not in said and "can't message you" not in said, said
        game.check_secrets(people, room, bot)
        assert bot.end() == 0, bot.log()[-3000:]
    finally:
        for person in people:
            await person.end()
        bot.remove()
        synapse.remove()
    print("a minute without the homeserver: good")


if __name__ == "__main__":
    asyncio.run(main())

// People at a fake homeserver: what they do, and what they are shown.

const textOf = event => event.content.body ?? '';

export class Person {
  constructor(server, account) {
    this.server = server;
    this.id = account.id;
    this.token = account.token;
    this.accepts = true; // comes into every room they are invited to, as a stage sees to
  }

  get name() {
    return this.server.users.get(this.id).displayname;
  }

  /** A room of their own, with others in it. */
  room(name, { people = [], bot = true, ...more } = {}) {
    const room = this.server.createRoom(this.id, { name, ...more });
    for (const person of people) {
      room.invite(this.id, person.id);
      room.join(person.id);
    }
    if (bot) room.invite(this.id, this.server.bot.id);
    return room;
  }

  /** Says a line; the event. */
  say(room, body, more = {}) {
    return room.send(this.id, 'm.room.message', undefined, { msgtype: 'm.text', body, ...more });
  }

  joinAll() {
    for (const room of this.server.rooms.values()) {
      if (room.membership(this.id) === 'invite') room.join(this.id);
    }
  }

  /** The rooms that the bot has made for their hand, the oldest first. */
  get handRooms() {
    return [...this.server.rooms.values()].filter(room => room.creator === this.server.bot.id &&
      room.stateOf('m.room.create').content['org.munchbot.hand_of'] === this.id);
  }

  get handRoom() {
    return this.handRooms.at(-1);
  }

  /** What the bot says in a room as it stands there now, the oldest first. */
  reads(room, sender = this.server.bot.id) {
    const messages = new Map();
    for (const event of room.visible(this.id)) {
      const relation = event.content['m.relates_to'];
      if (event.type !== 'm.room.message' || (sender && event.sender !== sender)) continue;
      if (relation?.rel_type === 'm.replace') {
        if (messages.has(relation.event_id)) messages.set(relation.event_id, textOf({ content: event.content['m.new_content'] }));
      } else {
        messages.set(event.event_id, textOf(event));
      }
    }
    return [...messages.values()];
  }

  /** Waits until the bot has said something there that has these words, behind an event if it is given. */
  async hears(room, words, { behind, ms } = {}) {
    const from = behind?.position ?? 0;
    const fits = event => event.position > from && event.sender === this.server.bot.id && event.type === 'm.room.message' &&
      (words instanceof RegExp ? words.test(textOf(event)) : textOf(event).includes(words));
    return this.server.until(`${this.name} hears ${words} in ${room.id}; last: ${JSON.stringify(this.reads(room).slice(-4))}`,
      () => room.events.find(fits), ms);
  }
}

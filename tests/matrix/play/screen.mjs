// One room as the client of somebody in it shows it: messages with their edits, what is invited, named and reacted to.

const COLUMNS = 46; // of a phone

/** How many lines of a phone a text takes. */
export const linesOf = text => text.split('\n').reduce((count, line) => {
  let used = 0;
  let lines = 1;
  for (const word of line.split(' ')) {
    if (used > 0 && used + 1 + word.length > COLUMNS) {
      lines++;
      used = 0;
    }
    used += word.length + (used > 0 ? 1 : 0);
  }
  return count + lines;
}, 0);

export class Screen {
  #from = 0;

  /** `room()`: there may be none yet. */
  constructor(name, person, room) {
    Object.assign(this, { name, person, room });
  }

  /** All messages as they stand now: { what, text }. */
  messages() {
    const room = this.room();
    return room ? this.person.reads(room).map(text => ({ what: 'stands', text })) : [];
  }

  /** What has changed since it was last asked: { what, text, rings }. */
  changes() {
    const room = this.room();
    if (!room) return [];
    const seen = room.visible(this.person.id);
    const news = seen.filter(event => event.position > this.#from);
    this.#from = Math.max(this.#from, ...seen.map(event => event.position));
    const messages = seen.filter(event => event.type === 'm.room.message' && event.content.body &&
      event.content['m.relates_to']?.rel_type !== 'm.replace');
    const below = id => messages.length - 1 - messages.findIndex(event => event.event_id === id);
    return news.flatMap(event => {
      const { content } = event;
      const relation = content['m.relates_to'];
      const rings = (content['m.mentions']?.user_ids ?? []).join(', ');
      if (event.type === 'm.room.name') return [{ what: 'is named', text: content.name }];
      if (event.type === 'm.room.topic') return [{ what: 'has the topic', text: content.topic }];
      if (event.type === 'm.room.redaction') return [{ what: 'a message is deleted', text: event.content.redacts ?? '' }];
      if (event.type === 'm.reaction') return [{ what: `${event.sender} reacts`, text: relation.key }];
      if (event.type !== 'm.room.message' || event.sender === this.person.id || event.sender !== this.person.server.bot.id) return [];
      if (relation?.rel_type === 'm.replace') {
        return [{ what: `edits ${below(relation.event_id)} up`, text: content['m.new_content'].body, rings }];
      }
      return [{ what: relation?.['m.in_reply_to'] ? 'replies' : 'says', text: content.body ?? '', rings }];
    });
  }
}

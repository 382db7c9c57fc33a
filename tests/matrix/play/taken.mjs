// A lobby card that the homeserver has taken, and whose answer nobody has heard.

/** The cards of lobbies in the stage's room, edits not counted. */
export const lobbies = stage => stage.room.events.filter(event => event.sender === stage.server.bot.id && event.type === 'm.room.message' &&
  !event.content['m.new_content'] && /seats taken/.test(event.content.body));

/** The pages that were asked for to look for it: those of gaps say how far they go. */
export const pages = stage => stage.server.calls('messages').filter(call => call.query.to === undefined);

/** It is taken, and nothing behind it goes out until the faults are cleared. */
export const taken = async stage => {
  await stage.comes();
  await stage.ada.hears(stage.room, '!munch new');
  stage.server.faults.add({ call: 'send', when: 'after', status: 502, body: 'bad gateway' });
  stage.server.faults.add({ call: 'send', times: Infinity, cut: true });
  stage.ada.say(stage.room, '!munch new players=4');
  await stage.until('it is taken', () => lobbies(stage).length === 1);
};

export const talk = (stage, count) => {
  for (let i = 0; i < count; i++) stage.people[2].say(stage.room, `talk ${i}`);
};

/** Messages go out again, to a server that has forgotten: what is sent once more is another message. */
export const goOn = stage => {
  stage.server.transactions.clear();
  stage.server.faults.clear();
};

/** The lobby is there: somebody sits down. */
export const stands = async stage => {
  const asked = stage.people[1].say(stage.room, '!munch join');
  await stage.ada.hears(stage.room, 'Bob sits down', { behind: asked });
};

// The fake homeserver by itself, for a program that is started by hand: node main.mjs [--port N]
// Prints the section and the token that "munchbot run" needs, then what is said, room by room. What is typed is said:
//   ada !munch new        in the room that all are in         ada > 3        in her hand room
import readline from 'node:readline';
import { Homeserver } from './homeserver.mjs';

const JOIN_MS = 100;
const at = process.argv.indexOf('--port');
const server = await Homeserver.start({ port: at < 0 ? 0 : Number(process.argv[at + 1]) });
const people = ['ada', 'bob', 'cem', 'dee'].map(name => server.person(name));
const room = people[0].room('Game night', { people: people.slice(1) });
console.log(`# export MUNCHBOT_MATRIX_TOKEN=${server.bot.token}\n[matrix]\nhomeserver = ${server.url}\nuser_id = ${server.bot.id}`);
let told = server.position;
setInterval(() => {
  for (const person of people) person.joinAll();
  const news = [...server.rooms.values()].flatMap(each => each.events.filter(event => event.position > told).map(event => [each, event]));
  told = server.position;
  for (const [place, { sender, content }] of news) {
    if (content.body) console.log(`${place.stateOf('m.room.name')?.content.name}, ${sender}: ${content['m.new_content']?.body ?? content.body}`);
  }
}, JOIN_MS);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [, who, own, said] = /^(\S+) ?(> )?(.*)$/.exec(line) ?? [];
  const person = people.find(each => each.name.toLowerCase() === who);
  const place = own ? person?.handRoom : room;
  if (person && place) person.say(place, said);
  else console.log('Nobody is called so, or has no hand room yet.');
}

// The fake by itself, for playing by hand and for other clients: node main.mjs [--port N] [--open]
// Prints the environment that a bot needs, then one line for each message that is posted or edited.
import { FakeDiscord } from './discord.mjs';
import { textOf } from './world.mjs';

const option = name => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

const fake = await FakeDiscord.start({ port: Number(option('port') ?? 0), open: process.argv.includes('--open') });
const people = ['Ada', 'Bob', 'Cem', 'Dee'].map(name => fake.person(name));
const guild = fake.guild('Game night', people);
fake.channel(guild, 'munchkin');
console.log(`FAKE=${fake.origin}\nTOKEN=${fake.token}\nAPPLICATION=${fake.world.application.id}\nDM_USER=${people[0].id}`);
console.log(`# for "munchbot run": export MUNCHBOT_DISCORD_TOKEN=${fake.token}\n[discord]\napplication_id = ${fake.world.application.id}\napi_url = ${fake.apiUrl}\ngateway_url = ${fake.gatewayUrl}`);
fake.world.on('message', (message, channel) => console.log(`+ ${channel.name}: ${JSON.stringify(textOf(message))}`));
fake.world.on('edit', (message, channel) => console.log(`~ ${channel.name}: ${JSON.stringify(textOf(message))}`));

// A bot made with the real discord.js: a client that nobody here wrote, against the fake server. What it can do there
// the fake does as Discord does, as far as discord.js knows Discord. One line a check; exit status 0: all passed.
// usage: FAKE=http://127.0.0.1:PORT TOKEN=... [DM_USER=ID] [DM_CLOSED=ID] node peer.mjs
import { ActionRowBuilder, ButtonBuilder, ChannelType, Client, Events, GatewayIntentBits, MessageFlags, ModalBuilder, REST,
  Routes, StringSelectMenuBuilder, TextInputBuilder } from 'discord.js';

const { FAKE, TOKEN, DM_USER, DM_CLOSED } = process.env;
const WANTED = ['command', 'autocomplete', 'button', 'select', 'form', 'resumed'];
const rest = { api: `${FAKE}/api`, version: '10', retries: 1, timeout: 5000 };
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest });
const done = new Set();
let failed = 0;

const check = (name, good, more = '') => {
  if (!good) failed++;
  done.add(name);
  console.log(`${good ? 'ok' : 'FAIL'} ${name} ${more}`);
};

const attempt = async (name, action) => {
  try {
    check(name, await action());
  } catch (error) {
    check(name, false, error.message);
  }
};

const button = new ActionRowBuilder().addComponents(new ButtonBuilder().setCustomId('b').setLabel('Press').setStyle(1));
const select = new ActionRowBuilder().addComponents(new StringSelectMenuBuilder().setCustomId('s').setPlaceholder('Pick')
  .addOptions([{ label: 'One', value: '1' }, { label: 'Two', value: '2' }]));
const form = new ModalBuilder().setCustomId('m').setTitle('Say').addComponents(new ActionRowBuilder().addComponents(
  new TextInputBuilder().setCustomId('t').setLabel('What').setStyle(1)));

const answers = {
  command: async interaction => {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: 'edited', components: [button, select] });
    const extra = await interaction.followUp({ content: 'more', flags: MessageFlags.Ephemeral });
    return extra.content === 'more';
  },
  autocomplete: async interaction => {
    await interaction.respond([{ name: interaction.options.getFocused(), value: 'x' }]);
    return true;
  },
  button: async interaction => {
    await interaction.update({ content: 'pressed', components: [select] });
    return true;
  },
  select: async interaction => {
    await interaction.showModal(form);
    return interaction.values.join() === '2';
  },
  form: async interaction => {
    await interaction.reply({ content: 'heard', flags: MessageFlags.Ephemeral });
    return interaction.fields.getTextInputValue('t') === 'hello';
  },
};

client.on(Events.InteractionCreate, interaction => {
  const kind = interaction.isAutocomplete() ? 'autocomplete' : interaction.isChatInputCommand() ? 'command'
    : interaction.isButton() ? 'button' : interaction.isStringSelectMenu() ? 'select' : 'form';
  return attempt(kind, () => answers[kind](interaction));
});
client.on(Events.ShardResume, () => check('resumed', true));
client.on(Events.Error, error => check('client', false, error.message));

await client.login(TOKEN);
if (!client.isReady()) await new Promise(resolve => { client.once(Events.ClientReady, resolve); });
check('ready', client.user.username === 'munchbot');

const own = new REST(rest).setToken(TOKEN);
await attempt('register', async () => {
  const say = { type: 3, name: 'word', description: 'a word', autocomplete: true };
  const commands = await own.put(Routes.applicationCommands(client.application.id), { body: [
    { name: 'peer', description: 'tries', options: [{ type: 1, name: 'try', description: 'tries', options: [say] }] }] });
  return commands[0].id !== undefined && commands[0].version !== undefined;
});

const guild = client.guilds.cache.first();
const channel = guild.channels.cache.find(each => each.type === ChannelType.GuildText);
await attempt('file', async () => (await channel.send({ content: 'table', nonce: '1', enforceNonce: true,
  allowedMentions: { parse: [] }, files: [{ attachment: Buffer.from('x'), name: 'a.txt' }] })).content === 'table');
await attempt('same nonce, same message', async () => {
  const one = await channel.send({ content: 'once', nonce: '2', enforceNonce: true });
  const two = await channel.send({ content: 'once', nonce: '2', enforceNonce: true });
  return one.id === two.id;
});
await attempt('components of version 2', async () => {
  const parts = [{ type: 17, components: [{ type: 10, content: '# hi' }] }];
  return (await channel.send({ flags: MessageFlags.IsComponentsV2, components: parts })).components.length === 1;
});
await attempt('edit and delete', async () => {
  const message = await channel.send('a');
  const edited = await message.edit('b');
  await message.delete();
  return edited.content === 'b';
});
await attempt('limits are kept and order too', async () => {
  const texts = [...Array(7).keys()].map(String);
  const sent = await Promise.all(texts.map(text => channel.send(text)));
  return sent.every((message, i) => message.content === texts[i]);
});
await attempt('thread', async () => {
  const starter = await channel.send('game');
  const thread = await starter.startThread({ name: 'a game', autoArchiveDuration: 10080 });
  await thread.members.add(DM_USER);
  await thread.send('in the thread');
  await thread.setArchived(true);
  return thread.id === starter.id;
});
await attempt('private channel', async () => (await (await client.users.createDM(DM_USER)).send('psst')).content === 'psst');
await attempt('closed private channel', async () => {
  try {
    await (await client.users.createDM(DM_CLOSED)).send('psst');
    return false;
  } catch (error) {
    return error.code === 50007;
  }
});
check('calls done', true);

const end = Date.now() + 15_000;
while (!WANTED.every(name => done.has(name)) && Date.now() < end) await new Promise(resolve => { setTimeout(resolve, 20); });
for (const name of WANTED) if (!done.has(name)) check(name, false, 'never happened');
await client.destroy();
process.exit(failed > 0 ? 1 : 0);

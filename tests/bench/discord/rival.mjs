// What a bot is usually made of: discord.js and better-sqlite3. Each command stores 10 KB durably and is answered by an embed
// and five buttons.
// usage: FAKE=http://127.0.0.1:PORT TOKEN=... WORDS=... node rival.mjs DATABASE
import Database from 'better-sqlite3';
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, EmbedBuilder, Events, GatewayIntentBits } from 'discord.js';

const { FAKE, TOKEN, WORDS = 'Heard.' } = process.env;
const BYTES = 10_240;

const database = new Database(process.argv[2]);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS tables (channel TEXT PRIMARY KEY, state BLOB NOT NULL)');
const keep = database.prepare('INSERT INTO tables VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET state = excluded.state');
const state = Buffer.alloc(BYTES, 'x');

const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: `${FAKE}/api`, version: '10' } });
client.on(Events.InteractionCreate, interaction => {
  state.writeUInt32LE(Date.now() >>> 0, 0);
  keep.run(interaction.channelId, state);
  const row = new ActionRowBuilder().addComponents(['a', 'b', 'c', 'd', 'e'].map(id =>
    new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Secondary)));
  interaction.reply({ embeds: [new EmbedBuilder().setDescription(WORDS)], components: [row] }).catch(error => {
    console.error(error);
    process.exit(1);
  });
});
await client.login(TOKEN);

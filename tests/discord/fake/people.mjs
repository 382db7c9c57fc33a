// People in front of their Discord clients: they type slash commands, pick what autocomplete offers, press, choose, fill
// in forms; and see what is meant for them.
import { KIND, CALLBACK } from './interactions.mjs';
import { controlsOf, textOf } from './world.mjs';
import { FLAG, TYPE, walk } from './rules.mjs';

const OPTION = { command: 1, group: 2, string: 3, integer: 4, boolean: 5, channel: 7 };

export class Person {
  constructor(fake, user) {
    this.fake = fake;
    this.user = user;
    this.forms = []; // shown by the latest interactions
  }

  get id() {
    return this.user.id;
  }

  #send(type, channel, data, extra) {
    const interaction = this.fake.interactions.make(type, this.user, channel, data, extra);
    this.fake.gateway.dispatch('INTERACTION_CREATE', interaction.payload, channel.guild_id);
    return interaction;
  }

  // The registered command that words name: [data, the options it may have].
  #command(words) {
    const [name, ...path] = words.split(' ');
    const command = this.fake.world.commands.find(each => each.name === name);
    if (!command) throw new Error(`no command /${name} is registered`);
    const data = { id: command.id, name, type: 1, options: [] };
    let level = data;
    let offered = command.options ?? [];
    for (const step of path) {
      const option = offered.find(each => each.name === step && each.type <= OPTION.group);
      if (!option) throw new Error(`/${words}: there is no "${step}"`);
      const inner = { name: step, type: option.type, options: [] };
      level.options.push(inner);
      level = inner;
      offered = option.options ?? [];
    }
    return [data, level, offered];
  }

  #fill(words, options) {
    const [data, level, offered] = this.#command(words);
    for (const option of offered) {
      if (option.type <= OPTION.group) throw new Error(`/${words} needs one of its commands`);
      if (option.required && options[option.name] === undefined) throw new Error(`/${words} needs ${option.name}`);
    }
    for (const [name, value] of Object.entries(options)) {
      const option = offered.find(each => each.name === name);
      if (!option) throw new Error(`/${words} has no option ${name}`);
      const legal = option.choices === undefined || option.choices.some(choice => choice.value === value);
      if (!legal) throw new Error(`/${words} ${name}: "${value}" is none of its choices`);
      level.options.push({ name, type: option.type, value });
      if (option.type === OPTION.channel) data.resolved = { channels: { [value]: this.#resolved(value) } };
    }
    return data;
  }

  // A channel that was picked: with what this person may do there.
  #resolved(id) {
    const { world } = this.fake;
    const channel = world.channel(id);
    const { type, name, parent_id: parent } = channel;
    const permissions = channel.hidden ? '0' : world.memberJson(world.guilds.get(channel.guild_id), this.user).permissions;
    return { id, type, name, permissions, ...(parent ? { parent_id: parent } : {}) };
  }

  /** A slash command: person.slash(channel, 'munch play', {card: 'Potion'}). */
  slash(channel, words, options = {}) {
    return this.#send(KIND.command, channel, this.#fill(words, options));
  }

  /** What autocomplete offers for the option `focused`. */
  async offers(channel, words, options, focused) {
    const data = this.#fill(words, { ...options, [focused]: options[focused] ?? '' });
    const find = list => list.find(option => option.name === focused) ?? find(list[0].options);
    find(data.options).focused = true;
    const interaction = this.#send(KIND.autocomplete, channel, data);
    return (await interaction.answered).data.choices;
  }

  /** Presses a button of a message, by its label or custom_id; picks `values` of a select. */
  press(message, which, values) {
    const channel = this.fake.world.channel(message.channel_id);
    const control = controlsOf(message).find(each => each.custom_id === which || each.label === which ||
      each.placeholder === which);
    if (!control) {
      const there = controlsOf(message).map(each => each.label ?? each.placeholder ?? each.custom_id);
      throw new Error(`no control "${which}" on that message; there are ${there.join(', ')}`);
    }
    const data = { custom_id: control.custom_id, component_type: control.type, id: control.id ?? 0,
      ...(values ? { values } : {}) };
    return this.#send(KIND.component, channel, data, { message });
  }

  /** A press that no client shows: any custom_id. */
  forge(message, data) {
    return this.#send(KIND.component, this.fake.world.channel(message.channel_id), { component_type: TYPE.button, id: 0, ...data },
      { message });
  }

  /** Fills in the form that an interaction was answered with. */
  submit(interaction, values) {
    const form = interaction.answers.find(answer => answer.type === CALLBACK.modal)?.data;
    if (!form) throw new Error('that was not answered with a form');
    const components = form.components.map(component => {
      const input = component.component ?? component.components?.[0];
      if (!input?.custom_id) return { type: component.type, id: 0 };
      const filled = { type: input.type, id: 0, custom_id: input.custom_id, value: values[input.custom_id] ?? '' };
      return component.type === TYPE.label ? { type: TYPE.label, id: 0, component: filled }
        : { type: TYPE.row, components: [filled] };
    });
    return this.#send(KIND.modal, interaction.channel, { custom_id: form.custom_id, components },
      { message: interaction.message });
  }

  /** Writes something to the others. */
  write(channel, text) {
    return this.fake.world.write(this.user, channel, text);
  }

  // Seeing.

  /** The private channel with the bot; opened by the bot only. */
  get dm() {
    return [...this.fake.world.channels.values()].find(channel => channel.type === 1 && channel.recipient === this.user);
  }

  sees(channel) {
    return this.fake.world.seenBy(this.user, channel);
  }

  /** All text this person can read anywhere, labels of controls among it. */
  reads() {
    return this.fake.world.allSeenBy(this.user).map(message => {
      const labels = [...walk(message.components)].flatMap(([component]) =>
        [component.label, component.placeholder, ...(component.options ?? []).map(option => option.label)]);
      return [textOf(message), ...labels.filter(Boolean)].join('\n');
    }).join('\n');
  }

  get pushes() {
    return this.fake.world.pushes.filter(push => push.user === this.user.id);
  }

  /** The newest message in a channel that `test` holds for. */
  latest(channel, test = () => true) {
    return this.sees(channel).filter(test).at(-1);
  }
}

export const isEphemeral = message => (message.flags & FLAG.ephemeral) !== 0;
export const isVersion2 = message => (message.flags & FLAG.v2) !== 0;

/** The table's message, or one that was: of components, or as it is posted when it calls somebody. */
export const isCard = message => isVersion2(message) || (message.embeds.length > 0 && message.components.length > 0);

/** Of such a message the table alone, without what has been told on it. */
export const tableOf = message => {
  const texts = [...walk(message.components)].map(([component]) => component).filter(({ type }) => type === TYPE.text);
  return texts.map(({ content }) => content).filter(content => !content.startsWith('-#')).at(-1) ??
    message.embeds[0]?.description.split('\n\n').at(-1) ?? '';
};

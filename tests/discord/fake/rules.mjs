// Limits that Discord has and its OpenAPI file does not say: each function returns [path, code, message] of what is wrong.
export const FLAG = { suppressEmbeds: 4, ephemeral: 64, loading: 128, silent: 4096, v2: 32768 };
export const TYPE = { row: 1, button: 2, select: 3, input: 4, section: 9, text: 10, separator: 14, container: 17, label: 18 };

const chars = text => [...(text ?? '')].length;

/** Every component of a message or form, nested ones too, with its path. */
export function* walk(components, path = 'components') {
  for (const [i, component] of (components ?? []).entries()) {
    const at = `${path}.${i}`;
    yield [component, at];
    yield* walk(component.components, `${at}.components`);
    if (component.accessory) yield* walk([component.accessory], `${at}.accessory`);
    if (component.component) yield* walk([component.component], `${at}.component`);
  }
}

const button = (component, at) => {
  const faults = [];
  if (component.style === 5) {
    if (!component.url || component.custom_id) faults.push([at, 'BUTTON', 'a link has a url and no custom_id']);
  } else if (component.style !== 6 && (!component.custom_id || component.url)) {
    faults.push([at, 'BUTTON', 'a button has a custom_id and no url']);
  }
  if (!component.label && !component.emoji) faults.push([at, 'BUTTON', 'a button needs a label or an emoji']);
  return faults;
};

const select = (component, at) => {
  const faults = [];
  const least = component.min_values ?? 1;
  const most = component.max_values ?? 1;
  const values = (component.options ?? []).map(option => option.value);
  if (least > most || most > values.length) faults.push([at, 'SELECT', 'min_values, max_values and options do not agree']);
  if (new Set(values).size !== values.length) faults.push([`${at}.options`, 'SELECT', 'a value stands twice']);
  return faults;
};

const row = (component, at) => {
  const kinds = component.components.map(inner => inner.type);
  const good = kinds.every(kind => kind === TYPE.button) ? kinds.length <= 5 : kinds.length === 1;
  return good ? [] : [[at, 'ROW', 'a row holds one to five buttons or one select']];
};

const pieces = { [TYPE.button]: button, [TYPE.select]: select, [TYPE.row]: row };

const components = list => {
  const faults = [];
  const ids = new Set();
  for (const [component, at] of walk(list)) {
    faults.push(...(pieces[component.type]?.(component, at) ?? []));
    if (component.custom_id !== undefined && ids.has(component.custom_id)) {
      faults.push([at, 'COMPONENT_CUSTOM_ID_DUPLICATED', `custom_id ${component.custom_id} stands twice`]);
    }
    ids.add(component.custom_id);
  }
  return faults;
};

const version2 = message => {
  const faults = [];
  const all = [...walk(message.components)].map(([component]) => component);
  const texts = all.filter(component => component.type === TYPE.text);
  for (const key of ['content', 'embeds', 'poll', 'sticker_ids']) {
    const value = message[key];
    if (value !== undefined && value !== null && value.length !== 0) {
      faults.push([key, 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', `${key} beside components of version 2`]);
    }
  }
  if (all.length === 0) faults.push(['components', 'BASE_TYPE_REQUIRED', 'nothing is shown']);
  if (all.length > 40) faults.push(['components', 'LIMIT', `${all.length} components, 40 at most`]);
  if (texts.reduce((sum, text) => sum + chars(text.content), 0) > 4000) {
    faults.push(['components', 'LIMIT', 'more than 4000 characters of text']);
  }
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text.content) + 12, 0);
  if (bytes > 10170) faults.push(['components', 'LIMIT', `${bytes} bytes of text: Discord answers 500 to that`]);
  return faults;
};

const classic = message => {
  const faults = [];
  const kinds = (message.components ?? []).map(component => component.type);
  if (chars(message.content) > 2000) faults.push(['content', 'BASE_TYPE_MAX_LENGTH', 'more than 2000 characters']);
  if (kinds.length > 5 || kinds.some(kind => kind !== TYPE.row)) {
    faults.push(['components', 'LIMIT', 'a classic message has at most five rows and nothing else']);
  }
  return faults;
};

/** Whom a message calls reads it on a lock screen, where nothing is shown of components of version 2. */
export const pushFaults = body => ((body.allowed_mentions?.users?.length ?? 0) > 0 &&
  (!body.content || ((body.flags ?? 0) & FLAG.v2) !== 0)
  ? [['/allowed_mentions', 'EMPTY_PUSH', 'whoever is called is shown nothing']] : []);

/** A message as it will be. `flags`: those this route lets through. */
export function messageFaults(message, flags) {
  const faults = components(message.components);
  const wrong = (message.flags ?? 0) & ~flags;
  if (wrong !== 0) faults.push(['flags', 'FLAGS', `flags ${wrong} are not for this route`]);
  faults.push(...((message.flags & FLAG.v2) !== 0 ? version2(message) : classic(message)));
  const mentions = message.allowed_mentions;
  if (mentions?.parse?.includes('users') && mentions.users?.length > 0) {
    faults.push(['allowed_mentions', 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', 'parse and users exclude each other']);
  }
  if (message.nonce !== undefined && String(message.nonce).length > 25) {
    faults.push(['nonce', 'NONCE_TYPE_TOO_LONG', 'more than 25 characters']);
  }
  return faults;
}

/** A form. */
export function modalFaults(modal) {
  const faults = components(modal.components);
  if (modal.components.length < 1 || modal.components.length > 5) {
    faults.push(['components', 'LIMIT', 'a form has one to five parts']);
  }
  for (const [i, component] of modal.components.entries()) {
    if (![TYPE.label, TYPE.text, TYPE.row].includes(component.type)) {
      faults.push([`components.${i}`, 'LIMIT', 'a form has labels and texts']);
    }
  }
  return faults;
}

const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;

const size = command => chars(command.name) + chars(command.description) +
  (command.choices ?? []).reduce((sum, choice) => sum + chars(choice.name) + chars(String(choice.value)), 0) +
  (command.options ?? []).reduce((sum, option) => sum + size(option), 0);

const options = (list, at, depth) => {
  const faults = [];
  const names = new Set();
  let optional = false;
  if (list.length > 25) faults.push([at, 'LIMIT', 'more than 25 options']);
  for (const [i, option] of list.entries()) {
    const here = `${at}.${i}`;
    const nested = option.type <= 2;
    if (!NAME.test(option.name) || option.name !== option.name.toLowerCase()) {
      faults.push([`${here}.name`, 'NAME', `"${option.name}" is no name`]);
    }
    if (names.has(option.name)) faults.push([`${here}.name`, 'NAME', `"${option.name}" stands twice`]);
    names.add(option.name);
    if (option.type === 2 && depth > 0) faults.push([here, 'NESTING', 'a group in a group']);
    if (nested && depth > 1) faults.push([here, 'NESTING', 'nothing lies deeper than a command of a group']);
    if (nested !== (list[0].type <= 2)) faults.push([here, 'NESTING', 'commands and options in one list']);
    if (!nested && option.required && optional) faults.push([here, 'REQUIRED', 'required options come first']);
    optional ||= !option.required;
    if (option.autocomplete && option.choices?.length > 0) faults.push([here, 'CHOICES', 'autocomplete excludes choices']);
    faults.push(...options(option.options ?? [], `${here}.options`, nested ? depth + 1 : 3));
  }
  return faults;
};

/** Commands as they are registered. */
export function commandFaults(commands) {
  const faults = [];
  const names = commands.map(command => `${command.type ?? 1} ${command.name}`);
  if (new Set(names).size !== names.length) faults.push(['', 'NAME', 'a command stands twice']);
  if (commands.length > 100) faults.push(['', 'LIMIT', 'more than 100 commands']);
  for (const [i, command] of commands.entries()) {
    if (!NAME.test(command.name) || command.name !== command.name.toLowerCase()) {
      faults.push([`${i}.name`, 'NAME', `"${command.name}" is no name`]);
    }
    if (size(command) > 8000) faults.push([`${i}`, 'APPLICATION_COMMAND_TOO_LARGE', `${size(command)} characters`]);
    faults.push(...options(command.options ?? [], `${i}.options`, 0));
  }
  return faults;
}

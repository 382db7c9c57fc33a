// Bodies against Discord's published OpenAPI file: what a request may hold is closed, so that a misspelt key is a fault.
// What the file does not say stands in rules.mjs.
import fs from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const bits = { anyOf: [{ type: 'string', pattern: '^[0-9]+$' }, { type: ['integer', 'null'], minimum: 0 }] };

// The documentation allows these; the file lacks them.
const ADDITIONS = {
  ApplicationCommandCreateRequest: { default_member_permissions: bits, nsfw: { type: 'boolean' } },
  ApplicationCommandUpdateRequest: { default_member_permissions: bits, nsfw: { type: 'boolean' } },
  ApplicationCommandPatchRequestPartial: { default_member_permissions: bits, nsfw: { type: 'boolean' } },
  ApplicationOAuth2InstallParams: { permissions: bits },
  ComponentEmojiForRequest: { animated: { type: 'boolean' } },
  MessageAttachmentRequest: {
    id: { anyOf: [{ $ref: '#/components/schemas/SnowflakeType' }, { type: 'integer', minimum: 0 }] },
  },
};

export class Spec {
  #spec;
  #closed = new Set();
  #compiled = new Map();
  #ajv = new Ajv2020({ strict: false, allErrors: true });

  /** `open`: keys that the file does not list are let through, as discord.js sends some. */
  constructor(path, open = false) {
    this.#spec = JSON.parse(fs.readFileSync(path));
    const schemas = this.#spec.components.schemas;
    for (const [name, properties] of Object.entries(ADDITIONS)) Object.assign(schemas[name].properties, properties);
    for (const operations of Object.values(this.#spec.paths)) {
      for (const method of METHODS) this.#close(this.#body(operations[method]), open);
    }
    addFormats(this.#ajv);
    this.#ajv.addFormat('snowflake', /^[0-9]+$/);
    this.#ajv.addFormat('nonce', true);
    this.#ajv.addSchema({ $id: 'discord', ...this.#spec });
  }

  #body(operation) {
    return operation?.requestBody?.content?.['application/json']?.schema;
  }

  #named(schema) {
    return this.#spec.components.schemas[schema.$ref?.split('/').pop()];
  }

  // Alternatives that differ in "type" are told apart by it; then a fault is one of the alternative that was meant.
  #close(schema, open) {
    if (schema === null || typeof schema !== 'object' || this.#closed.has(schema)) return;
    this.#closed.add(schema);
    if (schema.$ref) this.#close(this.#named(schema), open);
    if (!open && schema.type === 'object' && schema.properties && schema.additionalProperties === undefined) {
      schema.unevaluatedProperties = false;
    }
    const choices = schema.oneOf ?? schema.anyOf;
    const types = choice => {
      const meant = choice.$ref ? this.#named(choice) : choice;
      return meant?.required?.includes('type') ? meant.properties.type.enum : undefined;
    };
    if (choices?.length > 1 && choices.every(types)) {
      const of = list => ({ required: ['type'], properties: { type: { enum: list } } });
      delete schema.oneOf;
      delete schema.anyOf;
      schema.type = 'object';
      Object.assign(schema, of(choices.flatMap(types)));
      schema.allOf = choices.map(choice => ({ if: of(types(choice)), then: choice }));
    }
    for (const inner of Object.values(schema)) this.#close(inner, open);
  }

  #validator(method, template) {
    const key = `${method} ${template}`;
    if (!this.#compiled.has(key)) {
      const operation = this.#spec.paths[template]?.[method];
      const step = text => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
      const place = ['paths', template, method, 'requestBody', 'content', 'application/json', 'schema'];
      this.#compiled.set(key, this.#body(operation)
        ? this.#ajv.compile({ $ref: `discord#/${place.map(step).join('/')}` }) : undefined);
    }
    return this.#compiled.get(key);
  }

  /** Whether Discord has such a route. */
  knows(method, template) {
    return this.#spec.paths[template]?.[method] !== undefined;
  }

  /** What is wrong with a body: [path, code, message], the most exact faults alone. */
  faults(method, template, body) {
    const validate = this.#validator(method, template);
    if (!validate || validate(body)) return [];
    const vague = fault => ['if', 'oneOf', 'anyOf'].includes(fault.keyword) || fault.params.type === 'null';
    const exact = validate.errors.filter(fault => !vague(fault));
    return (exact.length > 0 ? exact : validate.errors).slice(0, 16).map(fault =>
      [fault.instancePath, 'SPEC', `${fault.message} ${JSON.stringify(fault.params)}`]);
  }
}

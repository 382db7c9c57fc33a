// Keys that sign, as devices and identities have them.
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex'); // before an Ed25519 seed

const unpadded = bytes => bytes.toString('base64').replace(/=+$/, '');
const sorted = json => json !== null && typeof json === 'object' && !Array.isArray(json)
  ? Object.fromEntries(Object.keys(json).sort().map(key => [key, sorted(json[key])])) : json;

export class Key {
  #private;

  constructor(seed = unpadded(randomBytes(32))) {
    this.seed = seed;
    this.#private = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, 'base64')]), format: 'der', type: 'pkcs8' });
  }

  get text() {
    return unpadded(createPublicKey(this.#private).export({ format: 'der', type: 'spki' }).subarray(-32));
  }

  /** As a key of an identity. */
  shown(user, usage) {
    return { user_id: user, usage: [usage], keys: { [`ed25519:${this.text}`]: this.text } };
  }

  signs(user, name, object) {
    const signature = unpadded(sign(null, Buffer.from(JSON.stringify(sorted(object))), this.#private));
    return { ...object, signatures: { [user]: { [`ed25519:${name}`]: signature } } };
  }
}

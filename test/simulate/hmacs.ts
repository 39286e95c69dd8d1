import type { BinaryToTextEncoding, Hmac, createHmac } from 'node:crypto';

const rememberedMax = 2000;

/** As an Hmac, of texts that are given whole before its digest is asked for once. */
class RememberedHmac {
  private text = '';
  private readonly digestOf: (text: string) => Buffer;

  constructor(digestOf: (text: string) => Buffer) {
    this.digestOf = digestOf;
  }

  update(text: string): this {
    this.text += text;
    return this;
  }

  digest(encoding?: BinaryToTextEncoding): Buffer | string {
    const digest = this.digestOf(this.text);
    return encoding === undefined ? Buffer.from(digest) : digest.toString(encoding);
  }
}

/**
 * Returns what stands for `createHmac` where all parties are of one process: what one has signed, others verify without the
 * work, which would be a thirtieth of all.
 */
export function rememberHmacs(create: typeof createHmac): typeof createHmac {
  const remembered = new Map<string, Buffer>();
  return (algorithm, key) => {
    if (typeof key !== 'string' && !(key instanceof Uint8Array)) return create(algorithm, key);
    const name = `${algorithm} ${typeof key === 'string' ? key : Buffer.from(key).toString('latin1')} `;
    const digestOf = (text: string) => {
      const known = remembered.get(name + text);
      if (known) return known;
      const made = create(algorithm, key).update(text).digest();
      if (remembered.size > rememberedMax) remembered.clear();
      remembered.set(name + text, made);
      return made;
    };
    // Safe: the code under test signs texts, each at once.
    return new RememberedHmac(digestOf) as unknown as Hmac;
  };
}

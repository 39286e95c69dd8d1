import { describe, expect, test } from 'vitest';

import { createSigner } from './signer.ts';

const signer = createSigner(['a secret of the server']);

describe('a signed text', () => {
  test('is read by whoever has the secret', () => {
    expect(createSigner(['a secret of the server']).verify('x', signer.sign('x', 'tëxt'))).toBe('tëxt');
  });

  test('is refused with another text, scope or secret, and without a signature', () => {
    const signed = signer.sign('x', 'text');
    expect(signer.verify('x', `${signed}s`)).toBeNull();
    expect(signer.verify('x', signed.replace('text', 'test'))).toBeNull();
    expect(signer.verify('y', signed)).toBeNull();
    expect(createSigner(['another']).verify('x', signed)).toBeNull();
    for (const unsigned of ['', 'text', 'ä'.repeat(30)]) expect(signer.verify('x', unsigned)).toBeNull();
  });
});

import { Socket } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { socketsWork } from './sockets-work.ts';

afterEach(() => {
  Reflect.deleteProperty(Socket.prototype, 'push');
  Reflect.deleteProperty(Socket.prototype, 'unshift');
});

const { push } = Socket.prototype as { push: unknown };

test('the sockets of this Node work as connections expect', async () => {
  expect(await socketsWork()).toBe(true);
});

test.each([
  ['reads past a push that was replaced', { get: () => push, set: () => undefined }],
  [
    'hands over what is no buffer',
    {
      get: () => push,
      set(this: Socket, replacement: (chunk: unknown) => boolean) {
        const value = (chunk: Buffer | null) =>
          replacement.call(this, chunk === null ? null : new Uint8Array(chunk));
        Object.defineProperty(this, 'push', { value, configurable: true });
      },
    },
  ],
])('a Node whose sockets differ is noticed: one that %s', async (_, property) => {
  Object.defineProperty(Socket.prototype, 'push', { ...property, configurable: true });
  expect(await socketsWork()).toBe(false);
});

test('a Node that loses what is handed over to node:http is noticed', async () => {
  Object.defineProperty(Socket.prototype, 'unshift', {
    value(this: Socket) {
      this.end();
    },
    configurable: true,
  });
  expect(await socketsWork()).toBe(false);
});

import { describe, expect, test } from 'vitest';

import { type Person, getWorld, realm } from '../../support/index.ts';

/** A text that another thread parses. */
const formulas = (name: string) =>
  Array.from({ length: 40 }, (_, index) => `$$\\frac{${name}_{${index}}}{\\sqrt{x}}$$`).join('\n');

/** Nodes that have a single connection to read with, and do for an author what takes a thread. */
const slow: Record<
  string,
  (author: Person, port: number, name: string) => Promise<{ body: { result: string } }>
> = {
  'a text that is shown before it is sent': (author, port, name) =>
    author.ask('POST', '/messages/render', { content: formulas(name) }, { port }),
  'a message that is changed': async (author, port, name) => {
    const message = { type: 'direct', to: [author.id], content: 'x' };
    const { id } = await author.post('/messages', message);
    return await author.ask('PATCH', `/messages/${id}`, { content: formulas(name) }, { port });
  },
};

describe('a text that is parsed on another thread', () => {
  test.each(Object.entries(slow))('takes no connection from others meanwhile: %s', async (_, act) => {
    const { alice, bob } = await realm();
    await using node = await (await getWorld()).startApi({ databaseConnections: 1 });
    const order: string[] = [];
    const texts = ['a', 'b', 'c', 'd'].map(async (name) => {
      const { body } = await act(alice, node.port, name);
      order.push(body.result);
    });
    const read = () => bob.ask('GET', '/users/me', {}, { port: node.port });
    // While somebody else asks for something, the author rests after each text.
    while (order.length === 0) await read();
    await Promise.all([1, 2, 3].map(read)).then(() => order.push('read'));
    await Promise.all(texts);
    expect(order.filter((one) => one === 'success')).toHaveLength(4);
    expect(order.at(-1), order.join(' ')).toBe('success');
  });
});

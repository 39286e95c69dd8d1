import fc from 'fast-check';
import { expect, test } from 'vitest';

import { findMentions } from './mentions.ts';

const named = (content: string) =>
  findMentions(content).people.map(({ name, id }) => (id === null ? name : id));

test('finds people by name, and by id where it is given', () => {
  expect(named('hi @**Ada Lovelace** and @**Bob|12**, @**|7**!')).toEqual(['Ada Lovelace', 12, 7]);
});

test('hears nothing in silent mentions, code, quotes and addresses', () => {
  expect(named('@_**Ada** `@**Ada**` me@**Ada**')).toEqual([]);
  expect(named('```\n@**Ada**\n```\n~~~ quote\n@**Ada**\n~~~\n> @**Ada**')).toEqual([]);
  expect(named('```\ncode\n```\n@**Ada**')).toEqual(['Ada']);
});

test('tells the channel’s members, the topic’s participants and groups from people', () => {
  expect(findMentions('@**all** @**topic** @*designers*')).toEqual({
    people: [],
    groups: ['designers'],
    channel: true,
    topic: true,
  });
  for (const name of ['everyone', 'channel', 'stream'])
    expect(findMentions(`@**${name}**`).channel).toBe(true);
  expect(findMentions('@_**all** @all')).toMatchObject({ channel: false });
});

test('reads any text in time that grows with its length alone', () => {
  const part = fc.constantFrom(
    '@**',
    '**',
    '@*',
    '*',
    '`',
    '```\n',
    '\n',
    '|',
    '1',
    'a',
    '> ',
    '~~~',
    '@_**',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 400 }), (parts) => {
      expect(() => findMentions(parts.join(''))).not.toThrow();
    }),
  );
  findMentions('@**'.repeat(100_000));
  findMentions(`${'`'.repeat(5000)} @**a** ${'`'.repeat(4999)}`);
});

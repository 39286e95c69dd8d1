import { expect, test } from 'vitest';

import { judge } from '../clients/judge.ts';
import { type Client, type Seen, has } from '../clients/seen.ts';

const client: Client = {
  name: 'one',
  language: 'go',
  does: 'sends and edits',
  checks: {
    'a message': ({ topic }) => has(topic, 'sent'),
    'an edit': ({ topic }) => has(topic, 'edited'),
  },
  ownFaults: { 'an edit': 'It never edits.' },
};

const seeing = (...contents: string[]): Seen => ({
  said: {},
  topic: contents.map((content, id) => ({ id, content, reactions: [] })),
  direct: [],
  linked: '',
});

test('a fault of the client itself fails no run, and stands in its row', () => {
  const { passed, of, failed, ownFaults } = judge(client, { said: {}, errors: {} }, seeing('sent'));
  expect({ passed, of, failed, ownFaults }).toEqual({
    passed: 1,
    of: 2,
    failed: [],
    ownFaults: ['an edit: It never edits.'],
  });
});

test('what another account does not see fails, whatever the client says, and its errors are told', () => {
  const driven = { said: { send: true }, errors: { edit: 'refused' } };
  expect(judge(client, driven, seeing()).failed).toEqual(['a message', 'edit: refused']);
});

test('a fault that is gone fails, so that its sentence does not stay', () => {
  const { failed } = judge(client, { said: {}, errors: {} }, seeing('sent', 'edited'));
  expect(failed).toEqual(['an edit: holds, though it is said not to']);
});

test('a client without checks of its own fails if it took no step', () => {
  const bare: Client = { name: 'one', language: 'go', does: 'steps' };
  expect(judge(bare, { said: {}, errors: {} }, seeing()).failed).toEqual(['no step was taken']);
  expect(judge(bare, { said: { step: null }, errors: {} }, seeing()).failed).toEqual([]);
});

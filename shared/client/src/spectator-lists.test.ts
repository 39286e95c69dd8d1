import { expect, test } from 'vitest';

import { connect } from './connection/connect.ts';
import { createSpectatorLists } from './spectator-lists.ts';
import { emptyState, sentMessage } from './state/state.test-support.ts';

const newest = 20_000;

/** A server with messages 1 to 20 000. */
const ask = (async (address: string) => {
  const { searchParams } = new URL(address);
  const anchor = searchParams.get('anchor') === 'newest' ? newest + 1 : Number(searchParams.get('anchor'));
  const before = Number(searchParams.get('num_before'));
  const first = Math.max(1, anchor - before);
  const ids = Array.from({ length: Math.min(before, anchor - first) }, (_, index) => first + index);
  const messages = ids.map((id) => ({ ...sentMessage(id), flags: ['read'] }));
  const body = { messages, anchor, found_oldest: first === 1, found_newest: anchor > newest };
  return await Promise.resolve(Response.json(body));
}) as unknown as typeof fetch;

test('a list keeps no more messages than its maximum, however far one reads', async () => {
  const state = emptyState();
  const connection = connect({ baseUrl: 'http://chat.example', credentials: 'none', fetch: ask });
  const list = createSpectatorLists(connection, () => state, { listMax: 500 }).open([]);
  await list.load('newest');
  while (!list.hasOldest) await list.loadOlder();
  expect(list.ids[0]).toBe(1);
  expect(list.hasNewest).toBe(false);
  expect(list.ids.length).toBeLessThanOrEqual(550);
  // Some that are in no list are kept for a while.
  expect(state.messages.size).toBeLessThan(5000);
  expect(list.ids.every((id) => state.messages.has(id))).toBe(true);
});

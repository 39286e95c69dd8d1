import { expect, test } from 'vitest';

import {
  type Person,
  channelId,
  countQueries,
  getWorld,
  realm,
  subscribe,
  succeed,
} from '../../support/index.ts';

/** Statements are prepared when they have come several times. */
const statementsKnown = 8;

test('a reaction and an edit wait for Postgres a few times', async () => {
  const { databaseUrl, startApi } = await getWorld();
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  await using counter = await countQueries(databaseUrl);
  await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
  const to = await channelId(alice, 'news');
  const ids: number[] = [];
  for (let sent = 0; sent < statementsKnown; sent += 1) {
    const message = { type: 'channel', to, topic: 'plans', content: 'x' };
    ids.push((await succeed(alice.post('/messages', message))).id);
  }
  const turnsOf = (person: Person, method: string, pathOf: (id: number) => string, fields: object) =>
    counter.fewestTurns(
      ids.map((id) => async () => {
        const { status, text } = await person.ask(method, pathOf(id), { ...fields }, { port: api.port });
        expect(status, text).toBe(200);
      }),
    );
  const reactions = (id: number) => `/messages/${id}/reactions`;
  expect(await turnsOf(bob, 'POST', reactions, { emoji_name: 'tada' }), 'a reaction').toBeLessThanOrEqual(14);
  expect(
    await turnsOf(alice, 'PATCH', (id) => `/messages/${id}`, { content: 'y' }),
    'an edit',
  ).toBeLessThanOrEqual(16);
});

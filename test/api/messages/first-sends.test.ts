import { expect, test } from 'vitest';

import { type Person, channelId, countQueries, getWorld, realm, subscribe } from '../../support/index.ts';

const statementsKnown = 8;

test('a first send waits for Postgres a few times, and the next ones once', async () => {
  const { databaseUrl, startApi } = await getWorld();
  const { alice, bob, carol } = await realm();
  await subscribe(alice, 'news', [alice, bob, carol]);
  await using counter = await countQueries(databaseUrl);
  await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
  const id = await channelId(alice, 'news');
  const turnsOf = (person: Person, topics: readonly string[]) =>
    counter.fewestTurns(
      topics.map((topic) => async () => {
        const message = { type: 'channel', to: id, topic, content: 'x' };
        const { status, text } = await person.ask('POST', '/messages', message, { port: api.port });
        expect(status, text).toBe(200);
      }),
    );
  const topics = Array.from({ length: statementsKnown }, (_, number) => `topic ${number}`);
  // Statements are prepared when they have come several times.
  await turnsOf(alice, topics);
  await turnsOf(bob, topics);

  expect(await turnsOf(carol, topics), 'to a topic that is there').toBeLessThanOrEqual(5);
  expect(await turnsOf(carol, ['new', 'newer', 'newest']), 'to a new topic').toBeLessThanOrEqual(13);
  expect(await turnsOf(carol, topics), 'again').toBe(1);
});

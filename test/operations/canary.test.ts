import { createLogger } from '@parley/kit';
import { runCanary } from '@parley/worker';
import { expect, test, vi } from 'vitest';

import { getWorld, realm, scrape, startOneAddress } from '../support/index.ts';

const runs = 'parley_canary_runs_total';

interface Options {
  url: string;
  realm: string;
}

async function start(options: Options) {
  const { engine, site, secret } = await getWorld();
  const logger = createLogger({ role: 'test', level: 'silent' });
  return runCanary({ engine, site, secrets: [secret], logger, everySeconds: 0.05, ...options });
}

/** Runs the canary until it has succeeded or failed once more; answers with what it measured. */
async function runOnce(options: Options, failed: string) {
  const before = await scrape();
  const canary = await start(options);
  await vi.waitUntil(async () => (await scrape()).of(runs, { failed }) > before.of(runs, { failed }), {
    timeout: 60_000,
  });
  await canary[Symbol.asyncDispose]();
  const after = await scrape();
  return (name: string, labels?: Record<string, string>) => after.of(name, labels) - before.of(name, labels);
}

test('the canary founds its organization, hears its own message, and leaves no queue behind wherever it ends', async () => {
  await using address = await startOneAddress('canary.localhost');
  const { sql, redis } = await getWorld();
  const canary = { url: address.url, realm: 'canary' };
  for (const time of ['first', 'again']) {
    const added = await runOnce(canary, 'none');
    for (const step of ['register', 'send', 'hear'])
      expect(added('parley_canary_seconds_count', { step }), `${time}: ${step}`).toBeGreaterThan(0);
    for (const failed of ['prepare', 'register', 'send', 'hear']) expect(added(runs, { failed })).toBe(0);
  }
  const [home] = await sql<{ id: number; people: number; days: number }[]>`
    select id, (settings->>'message_retention_days')::int as days,
      (select count(*)::int from users where realm_id = realms.id and not is_system) as people
    from realms where name = 'canary'`;
  expect(home).toMatchObject({ people: 1, days: 1 });
  const [person] = await sql<{ id: number }[]>`
    select id from users where realm_id = ${home?.id ?? 0} and not is_system`;
  const countQueues = async () => await redis.zcard(`parley:{u:${person?.id}}:queues`);
  expect(await countQueues()).toBe(0);
  // It cannot send now, and would wait.
  await sql.begin(async (tx) => {
    await tx`select from realm_heads where realm_id = ${home?.id ?? 0} for update`;
    await using _ = await start(canary);
    await vi.waitUntil(async () => (await countQueues()) > 0, { timeout: 60_000 });
  });
  expect(await countQueues()).toBe(0);
});

test('an organization of people is left alone', async () => {
  const { alice } = await realm();
  const { sql } = await getWorld();
  const count = () => sql`select count(*)::int from users where realm_id = ${alice.realm.id}`;
  const before = await count();
  const added = await runOnce({ url: 'http://127.0.0.1:9', realm: alice.realm.name }, 'prepare');
  expect(added(runs, { failed: 'none' })).toBe(0);
  expect(await count()).toEqual(before);
});

test('the step that fails is counted', async () => {
  const added = await runOnce({ url: 'http://127.0.0.1:9', realm: 'canary' }, 'register');
  expect(added(runs, { failed: 'none' })).toBe(0);
});

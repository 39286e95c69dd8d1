import { type Engine, createEngine } from '@parley/engine';
import { createLogger, systemClock } from '@parley/kit';
import type { Job } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  type PushServices,
  type TestRealm,
  decideWhom,
  getWorld,
  pendingFor,
  realm,
  runRecurring,
  startBeside,
  startPostgresProxy,
  startPushServices,
  succeed,
  tell,
} from '../support/index.ts';

/** How many realms one worker looks at at once. */
const atOnce = 3;
const patience = { timeout: 60_000, interval: 20 };

let services: PushServices;
let opened: AsyncDisposable[];
beforeEach(async () => {
  services = await startPushServices();
  opened = [services];
});
afterEach(async () => {
  for (const one of opened) await one[Symbol.asyncDispose]();
});

/** Realms in each of which somebody with a phone has got a message, of which it is not decided yet. */
async function realmsWithNews(count: number): Promise<TestRealm[]> {
  const homes = await Promise.all(Array.from({ length: count }, () => realm()));
  for (const { bob } of homes) {
    await succeed(bob.post('/users/me/android_gcm_reg_id', { token: `phone-${bob.id}` }));
  }
  await decideWhom();
  for (const { alice, bob } of homes) await tell(alice, [bob]);
  return homes;
}

const pushedTo = ({ bob }: TestRealm) =>
  services.fcm.filter(({ token }) => token === `phone-${bob.id}`).length;
const isPushed = (home: TestRealm) => vi.waitUntil(() => pushedTo(home) > 0, patience);
/** Waits until nothing waits any more: whatever is sent a second time has been sent by then. */
const isQuiet = ({ bob }: TestRealm) =>
  vi.waitUntil(async () => (await pendingFor(bob)).length === 0, patience);

/** The engine of a worker that stops before it commits what it has decided about some realms, until they are let go. */
async function stoppingAt(doesStop: (realmId: number) => boolean, databaseUrl?: string) {
  const { nodeUrl, redis, secret, partitions } = await getWorld();
  const engine = createEngine({
    databaseUrl: databaseUrl ?? nodeUrl,
    name: 'worker',
    connectionsMax: atOnce + 1,
    redis,
    secrets: [secret],
    clock: systemClock,
    logger: createLogger({ role: 'test', level: 'silent' }),
    partitions,
  });
  opened.push(engine);
  let letGo: () => void = () => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const stopped = new Set<number>();
  const transaction: Engine['db']['transaction'] = (work) =>
    engine.db.transaction(async (tx) => {
      const result = await work(tx);
      const [moved] = await tx.execute<{ id: number }>(
        sql`select realm_id as id from notification_cursors where xmin = pg_current_xact_id()::xid`,
      );
      if (moved && doesStop(moved.id)) {
        stopped.add(moved.id);
        await isLetGo;
      }
      return result;
    });
  const db = Object.create(engine.db, { transaction: { value: transaction } }) as typeof engine.db;
  return {
    engine: { ...engine, db, dbOf: () => Promise.resolve(db) },
    stopped,
    letGo,
    [Symbol.dispose]: letGo,
  };
}

describe('the notifications of an organization', () => {
  test('do not wait for those of another', async () => {
    const [slow, quick] = (await realmsWithNews(2)) as [TestRealm, TestRealm];
    await using side = await startBeside();
    using stopping = await stoppingAt((id) => id === slow.realm.id);
    // Whoever looks for news waits for nobody.
    const asked: Job[] = [];
    const queues = { enqueue: (job: Job) => asked.push(job) };
    await runRecurring('notify', { engine: stopping.engine, push: services.client, queues });
    expect(asked).toEqual(
      expect.arrayContaining([slow, quick].map((home) => ({ name: 'notify-realm', id: home.realm.id }))),
    );
    await side.workWith({ engine: stopping.engine, push: services.client }, 'notify');
    await isPushed(quick);
    await vi.waitUntil(() => stopping.stopped.size === 1, patience);
    // Also what comes later.
    await tell(quick.alice, [quick.bob]);
    await vi.waitUntil(() => pushedTo(quick) === 2, patience);
    expect(pushedTo(slow)).toBe(0);
    stopping.letGo();
    await isPushed(slow);
    await Promise.all([slow, quick].map(isQuiet));
    expect([slow, quick].map(pushedTo)).toEqual([1, 2]);
  });

  test('are decided by all workers together, each organization by one of them', async () => {
    const homes = await realmsWithNews(2 * atOnce + 1);
    await using side = await startBeside();
    using first = await stoppingAt(() => true);
    using second = await stoppingAt(() => true);
    await side.workWith({ engine: first.engine, push: services.client }, 'notify');
    await vi.waitUntil(() => first.stopped.size === atOnce, patience);
    await side.workWith({ engine: second.engine, push: services.client }, 'notify');
    await vi.waitUntil(() => second.stopped.size === atOnce, patience);
    expect([...first.stopped].filter((id) => second.stopped.has(id))).toEqual([]);
    // The last one begins as soon as any has ended.
    second.letGo();
    await vi.waitUntil(() => second.stopped.size === atOnce + 1, patience);
    first.letGo();
    await Promise.all(homes.map(isPushed));
    await Promise.all(homes.map(isQuiet));
    expect(homes.map(pushedTo)).toEqual(homes.map(() => 1));
  });

  test('are decided by another worker when one dies in the middle', async () => {
    const [home] = (await realmsWithNews(1)) as [TestRealm];
    const { nodeUrl } = await getWorld();
    await using side = await startBeside();
    const postgres = await startPostgresProxy(nodeUrl);
    const redis = await startPostgresProxy(side.redisUrl);
    opened.push(redis);
    using dying = await stoppingAt(() => true, postgres.url);
    await side.workWith({ engine: dying.engine, push: services.client, redisUrl: redis.url }, 'notify');
    await vi.waitUntil(() => dying.stopped.size === 1, patience);
    // As of a process that is killed: Postgres sees its connections end, and Redis hears nothing of it any more.
    await postgres[Symbol.asyncDispose]();
    redis.hang();
    await side.workWith({ push: services.client }, 'notify');
    await isPushed(home);
    await isQuiet(home);
    expect(pushedTo(home)).toBe(1);
    redis.resume();
  });
});

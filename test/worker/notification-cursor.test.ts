import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Person,
  type PushServices,
  type TestRealm,
  decideWhom,
  forgetLog,
  getWorld,
  notify,
  pendingFor,
  realm,
  runRecurring,
  setSentAt,
  startPushServices,
  succeed,
  tell,
} from '../support/index.ts';

let services: PushServices;
let home: TestRealm;
beforeAll(async () => {
  services = await startPushServices();
});
afterAll(() => services[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await realm();
  for (const who of [home.bob, home.carol]) {
    await succeed(who.post('/users/me/android_gcm_reg_id', { token: `phone-${who.id}` }));
  }
  await decide();
});

/** Decides whom to notify, and sends nothing: as if Redis lost every job. */
const decide = () => decideWhom({ push: services.client });
const send = () => notify({ push: services.client });

const pendingIds = async (who: Person) => (await pendingFor(who)).map(({ message_id }) => message_id);
const sentTo = (who: Person): string[] =>
  services.fcm
    .filter(({ token }) => token === `phone-${who.id}`)
    .map(({ body: { data } }) =>
      data.event === 'remove' ? `-${data.zulip_message_ids}` : data.zulip_message_id,
    );

const letters = async (count: number): Promise<number[]> => {
  const { alice, bob, carol } = home;
  return await Promise.all(
    Array.from({ length: count }, (_, number) => tell(alice, [bob, carol], `${number}`)),
  );
};
const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b);

/** An engine whose transactions fail at their end, as long as there is an error for them. */
async function failing(nextError: () => Error | undefined) {
  const { engine } = await getWorld();
  const failingAt = (db: typeof engine.db) => {
    const transaction = (work: (tx: unknown) => Promise<unknown>) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        const error = nextError();
        if (error) throw error;
        return result;
      });
    return Object.create(db, { transaction: { value: transaction } }) as typeof db;
  };
  return { ...engine, dbOf: async (realmId: number) => failingAt(await engine.dbOf(realmId)) };
}

describe('whom to notify', () => {
  test('is decided once, however many workers look at the same time', async () => {
    const sending = letters(20);
    await Promise.all(Array.from({ length: 6 }, decide));
    const ids = ascending(await sending);
    await Promise.all(Array.from({ length: 6 }, decide));
    await decide();
    expect([await pendingIds(home.bob), await pendingIds(home.carol)]).toEqual([ids, ids]);
    await Promise.all(Array.from({ length: 4 }, send));
    expect(
      sentTo(home.bob)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(ids);
    await send();
    expect(sentTo(home.bob)).toHaveLength(20);
  });

  test('is decided again when a worker dies before it has committed', async () => {
    const ids = ascending(await letters(3));
    const dying = await failing(() => new Error('killed'));
    await decideWhom({ push: services.client, engine: dying });
    expect(await pendingIds(home.bob)).toEqual([]);
    await decide();
    await decide();
    expect(await pendingIds(home.bob)).toEqual(ids);
  });

  test('is decided message by message where that takes Postgres too long', async () => {
    const ids = ascending(await letters(3));
    let failures = 2;
    const slow = await failing(() =>
      failures-- > 0 ? Object.assign(new Error('canceling statement'), { code: '57014' }) : undefined,
    );
    await decideWhom({ push: services.client, engine: slow });
    expect(await pendingIds(home.bob)).toEqual(ids);
  });

  test('is found in the messages where the log is gone, and what was read meanwhile, too', async () => {
    const [first = 0] = await letters(1);
    await send();
    expect(sentTo(home.bob)).toEqual([`${first}`]);
    const ids = ascending(await letters(3));
    await succeed(home.bob.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }));
    await forgetLog(home.realm.id);
    await decide();
    expect(await pendingIds(home.carol)).toEqual(ids);
    await send();
    expect(sentTo(home.bob)).toEqual(expect.arrayContaining([...ids.map(String), `-${first}`]));
    expect(sentTo(home.carol)).not.toContain(`-${first}`);
    const [next] = await letters(1);
    await decide();
    expect(await pendingIds(home.carol)).toEqual([next]);
  });

  test('is nobody, of a message that is older than three days, or that was there before anybody looked', async () => {
    const [old = 0, recent] = await letters(2);
    await setSentAt(home.bob, old, new Date(Date.now() - 73 * 3_600_000));
    await decide();
    expect(await pendingIds(home.bob)).toEqual([recent]);
    const other = await realm();
    await succeed(other.bob.post('/users/me/android_gcm_reg_id', { token: 'other' }));
    await tell(other.alice, [other.bob]);
    await decide();
    const later = await tell(other.alice, [other.bob]);
    await decide();
    expect(await pendingIds(other.bob)).toEqual([later]);
  });

  test('is nobody where the server can tell nobody, and later only of what comes later', async () => {
    await letters(1);
    await decideWhom();
    const [id] = await letters(1);
    await decide();
    expect(await pendingIds(home.bob)).toEqual([id]);
  });
});

test('a job that is lost is enqueued again, until what it is about is sent', async () => {
  const [id] = await letters(1);
  await decide();
  await decide();
  const jobs = await send();
  expect(jobs.filter(({ name }) => name === 'send-push').length).toBeGreaterThanOrEqual(2);
  expect([sentTo(home.bob), sentTo(home.carol)]).toEqual([[`${id}`], [`${id}`]]);
  expect(await pendingIds(home.bob)).toEqual([]);
});

test('what waits for too long is removed, and what was pushed long ago is forgotten', async () => {
  const { alice, bob } = home;
  await tell(alice, [bob], 'pushed');
  await send();
  await tell(alice, [bob], 'waits');
  await decide();
  const sweep = (days: number) =>
    runRecurring('sweep-notifications', { clock: { nowMs: () => Date.now() + days * 86_400_000 } });
  await sweep(0.9);
  expect(await pendingIds(bob)).toHaveLength(1);
  await sweep(1.1);
  expect(await pendingIds(bob)).toEqual([]);
  const { sql } = await getWorld();
  const pushed = async () => (await sql`select from pushed_messages where user_id = ${bob.id}`).length;
  expect(await pushed()).toBe(1);
  await sweep(31);
  expect(await pushed()).toBe(0);
});

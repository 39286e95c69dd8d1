import { systemClock } from '@parley/kit';
import { createPublisher, readHeads, readLog, tailStart } from '@parley/log';
import { events, to } from '@parley/protocol';
import { createSigner, keys, partitionOf } from '@parley/redis';
import { describe, expect, test, vi } from 'vitest';

import { type Person, getWorld, headOf, realm } from '../support/index.ts';

const send = (from: Person, content: string) =>
  from.post('/messages', { type: 'direct', to: [from.id], content });

/** This says that nothing happens, and nothing about speed. */
const long = { timeout: 30_000 };

/** Entries of a few sizes: the HTML of the long ones is ten times their text. */
async function fill(person: Person): Promise<number> {
  const before = await headOf(person.realm.id);
  const long = '**b**\n\n'.repeat(1000);
  for (const content of ['short', long, 'short', long, long, 'short']) await send(person, content);
  return before;
}

describe('what is read of the log', () => {
  test('is bounded by bytes, always goes on, and says whether there is more', async () => {
    const { alice } = await realm();
    const { sql } = await getWorld();
    const before = await fill(alice);
    const head = await headOf(alice.realm.id);
    const bytes = 25_000;
    const seqs: number[] = [];
    const lengths: number[] = [];
    for (let after = before, hasMore = true; hasMore;) {
      const page = await readLog(sql, alice.realm.id, after, { entries: 100, bytes });
      lengths.push(page.entries.length > 1 ? JSON.stringify(page.entries).length : 0);
      seqs.push(...page.entries.map(({ seq }) => seq));
      after = seqs.at(-1) ?? after;
      ({ hasMore } = page);
    }
    expect(seqs).toEqual(Array.from({ length: head - before }, (_, index) => before + index + 1));
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(bytes);
  });

  test('of its newest entries is bounded by bytes as well', async () => {
    const { alice } = await realm();
    const { sql } = await getWorld();
    const before = await fill(alice);
    const head = await headOf(alice.realm.id);
    const start = (bytes: number, entries = 100) => tailStart(sql, alice.realm.id, head, { entries, bytes });
    expect(await start(1e9)).toBeLessThanOrEqual(before);
    expect(await start(1e9, 3)).toBe(head - 3);
    expect(await start(10_000)).toBe(head - 1);
    expect(await start(10)).toBe(head);
  });
});

describe('what Redis carries', () => {
  test('is not delivered unless an api node has signed it', async () => {
    const { alice, bob } = await realm();
    const { redis, sql } = await getWorld();
    const phone = await bob.listen();
    const [head] = await readHeads(sql, [alice.realm.id]);
    const seq = (head?.seq ?? 0) + 1;
    const { event } = to.user(bob, events.keyRegenerated({ api_key: 'x' } as never));
    const forged = JSON.stringify({ seq, audience: { users: [bob.id] }, event });
    const key = keys.log(partitionOf(alice.realm.id, 16));
    const signed = createSigner('not the secret').sign(`entry ${alice.realm.id} ${seq}`, forged);
    for (const carried of [forged, signed])
      await redis.xadd(key, '*', 'r', alice.realm.id, 's', seq, 'e', carried);
    await send(alice, 'the true entry');
    expect((await phone.hears()).map(({ type }: { type: string }) => type)).toEqual([]);
  });

  test('takes bounded memory, and long entries are only announced', async () => {
    const { redis } = await getWorld();
    const realmId = 1_000_003;
    // A partition of its own: other tests write to the others.
    const partitions = 2_000_003;
    const key = keys.log(partitionOf(realmId, partitions));
    const warnings: unknown[] = [];
    // Safe: the publisher uses no other method.
    const logger = { warn: (...logged: unknown[]) => warnings.push(logged) } as never;
    const streamBytesMax = 1024 * 1024;
    // Each time it is read, a second has passed.
    let nowMs = systemClock.nowMs();
    const clock = { nowMs: () => (nowMs += 1000) };
    const publisher = createPublisher({
      redis,
      signer: createSigner('secret'),
      clock,
      logger,
      partitions,
      streamBytesMax,
    });
    const entry = 'x'.repeat(30_000);
    const publish = (seq: number, text: string) =>
      publisher.publish(realmId, [{ outcome: 'written', seq, messageId: null, entry: text }]);
    for (let seq = 1; seq <= 100; seq += 1) publish(seq, entry);
    publish(101, 'x'.repeat(100_000));
    await vi.waitUntil(
      async () => (await redis.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[1][3] === '101',
      long,
    );
    await vi.waitUntil(async () => ((await redis.memory('USAGE', key)) ?? 0) <= streamBytesMax, long);
    const newest = (await redis.xrevrange(key, '+', '-', 'COUNT', 2)).map(([, fields]) => fields);
    expect(newest.map(([, , , seq, , carried]) => [seq, carried?.length])).toEqual([
      ['101', 0],
      ['100', 30_022],
    ]);
    expect(warnings).toEqual([]);
  });
});

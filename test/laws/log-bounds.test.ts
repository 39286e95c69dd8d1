import { readHeads, readLog, tailStart } from '@parley/log';
import { events, to } from '@parley/protocol';
import { createSigner, keys, partitionOf } from '@parley/redis';
import { describe, expect, test } from 'vitest';

import { type Person, getWorld, headOf, realm } from '../support/index.ts';

const send = (from: Person, content: string) =>
  from.post('/messages', { type: 'direct', to: [from.id], content });

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
    const signed = createSigner('not the secret').sign(`entries ${alice.realm.id} ${seq}`, forged);
    for (const carried of [forged, signed])
      await redis.xadd(key, '*', 'r', alice.realm.id, 's', seq, 'e', carried);
    await send(alice, 'the true entry');
    expect((await phone.hears()).map(({ type }: { type: string }) => type)).toEqual([]);
  });
});

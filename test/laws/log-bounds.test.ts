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

  test('is bounded by a number of entries, and there may be more after as many', async () => {
    const { alice } = await realm();
    const { sql } = await getWorld();
    const before = await fill(alice);
    const head = await headOf(alice.realm.id);
    const read = async (after: number, entries: number) => {
      const page = await readLog(sql, alice.realm.id, after, { entries, bytes: 1e9 });
      return [page.entries.map(({ seq }) => seq - before), page.hasMore];
    };
    expect(await read(head - 3, 2)).toEqual([[head - before - 2, head - before - 1], true]);
    expect(await read(head - 2, 2)).toEqual([[head - before - 1, head - before], true]);
    expect(await read(head - 1, 2)).toEqual([[head - before], false]);
    expect(await read(head, 2)).toEqual([[], false]);
  });

  test('what is read of the newest entries of the log is bounded by bytes as well', async () => {
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

test('the last entry of a log is named with the log’s epoch, for the realms that are asked for', async () => {
  const [one, other] = [await realm(), await realm()];
  const { sql } = await getWorld();
  await send(one.alice, 'x');
  const id = one.realm.id;
  const epoch = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const expected = {
    realmId: id,
    epoch,
    seq: await headOf(id),
    term: expect.stringMatching(/^[0-9a-f]{21}$/),
  };
  expect(await readHeads(sql, [id, id + 1_000_000])).toEqual([expected]);
  expect(await readHeads(sql, [id, other.realm.id])).toHaveLength(2);
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
    const signed = createSigner(['not the secret']).sign(`entries ${alice.realm.id} ${seq}`, forged);
    for (const carried of [forged, signed])
      await redis.xadd(key, '*', 'r', alice.realm.id, 's', seq, 'e', carried);
    await send(alice, 'the true entry');
    expect((await phone.hears()).map(({ type }: { type: string }) => type)).toEqual([]);
  });
});

import { encodeMembers } from '@parley/db';
import { keptMinutes, trimLog } from '@parley/log';
import { afterEach, describe, expect, inject, test } from 'vitest';

import { getWorld, realm, runRecurring, sweptAlone } from '../../support/index.ts';

const realmId = 1_000_000_007;
const other = realmId + 1;

/** Entries that were appended so long ago, one for each of the numbers. */
async function append(
  minutesAgo: number,
  fromSeq: number,
  toSeq = fromSeq,
  inRealm = realmId,
): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into event_log (realm_id, seq, appended_at, entry, bytes)
    select ${inRealm}, seq, now() - make_interval(secs => ${minutesAgo * 60}), '{}', 2
    from generate_series(${fromSeq}::int, ${toSeq}::int) seq`;
}

/** An audience that was superseded so long ago; null if it is the present one. Returns its id. */
async function supersede(minutesAgo: number | null, baseId: string | null = null): Promise<string> {
  const { sql } = await getWorld();
  const members = baseId === null ? encodeMembers([]) : null;
  const rows = await sql<{ id: string }[]>`
    insert into audiences (realm_id, base_id, members, size, superseded_at)
    values (
      ${realmId}, ${baseId}::bigint, ${members}, 0, now() - make_interval(secs => ${minutesAgo && minutesAgo * 60}::float)
    ) returning id`;
  return rows[0]?.id ?? '';
}

async function left(inRealm = realmId) {
  const { sql } = await getWorld();
  const seqs = await sql<{ seq: number }[]>`
    select seq::int from event_log where realm_id = ${inRealm} order by seq`;
  const [audiences] = await sql<{ ages: number[] | null }[]>`
    select array_agg(coalesce(round(extract(epoch from now() - superseded_at) / 60), 0)::int
      order by superseded_at) as ages
    from audiences where realm_id = ${inRealm}`;
  return { seqs: seqs.map(({ seq }) => seq), ages: audiences?.ages ?? [] };
}

afterEach(async () => {
  const { sql } = await getWorld();
  for (const id of [realmId, other]) {
    await sql`delete from event_log where realm_id = ${id}`;
    await sql`delete from audiences where realm_id = ${id}`;
  }
});

/** One of several servers is asked about organizations that it holds, and never about all. */
const isOne = inject('servers').distributedUrl === null;

describe.each([
  ...(isOne ? [['one server of all organizations', null] as const] : []),
  ['a server of some organizations', [realmId]] as const,
])('%s', (_, realmIds) => {
  test('keeps an hour of the log, and the audiences that it may refer to', async () => {
    const { sql } = await getWorld();
    expect(keptMinutes).toBe(60);
    await append(70, 1, 2);
    await append(61, 3);
    await append(59, 4);
    await append(0, 5);
    for (const minutes of [130, 121, 119, 61, null]) await supersede(minutes);
    expect(await trimLog(sql, realmIds)).toEqual({ entries: 3, audiences: 2 });
    expect(await left()).toEqual({ seqs: [4, 5], ages: [119, 61, 0] });
    expect(await trimLog(sql, realmIds)).toEqual({ entries: 0, audiences: 0 });
  });

  test('keeps audiences for as long as others are changes of them', async () => {
    const { sql } = await getWorld();
    const base = await supersede(300);
    await supersede(200, base);
    const last = await supersede(100, base);
    expect(await trimLog(sql, realmIds)).toEqual({ entries: 0, audiences: 1 });
    expect(await left()).toEqual({ seqs: [], ages: [300, 100] });
    await sql`delete from audiences where realm_id = ${realmId} and id = ${last}::bigint`;
    expect(await trimLog(sql, realmIds)).toEqual({ entries: 0, audiences: 1 });
  });

  test('deletes whatever waits to be deleted, in statements of ten thousand', async () => {
    const { sql } = await getWorld();
    await append(70, 1, 20_001);
    expect(await trimLog(sql, realmIds)).toEqual({ entries: 20_001, audiences: 0 });
    expect(await left()).toEqual({ seqs: [], ages: [] });
  });
});

test('A server of some organizations leaves alone what others have.', async () => {
  const { sql } = await getWorld();
  await append(70, 1, 3);
  await append(70, 1, 3, other);
  expect(await trimLog(sql, [realmId])).toEqual({ entries: 3, audiences: 0 });
  expect((await left()).seqs).toEqual([]);
  expect((await left(other)).seqs).toEqual([1, 2, 3]);
});

test('The job trims what organizations have, wherever they are.', async () => {
  const { id } = (await realm()).realm;
  const old = 1_000_000;
  await append(70, old, old + 2, id);
  const leftOfOld = async () => (await left(id)).seqs.filter((seq) => seq >= old);
  await runRecurring('trim-log', await sweptAlone(other));
  expect(await leftOfOld()).toHaveLength(3);
  expect(await runRecurring('trim-log')).toHaveProperty('entries');
  expect(await leftOfOld()).toEqual([]);
});

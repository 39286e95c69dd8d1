import { encodeMembers } from '@parley/db';
import { keptMinutes, trimLog } from '@parley/log';
import { afterEach, expect, test } from 'vitest';

import { getWorld } from '../../support/index.ts';

const realmId = 1_000_000_007;

/** Entries that were appended so long ago, one for each of the numbers. */
async function append(minutesAgo: number, fromSeq: number, toSeq = fromSeq): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into event_log (realm_id, seq, appended_at, entry, bytes)
    select ${realmId}, seq, now() - make_interval(secs => ${minutesAgo * 60}), '{}', 2
    from generate_series(${fromSeq}::int, ${toSeq}::int) seq`;
}

/** An audience that was superseded so long ago; null if it is the present one. */
async function supersede(minutesAgo: number | null): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into audiences (realm_id, members, size, superseded_at)
    values (${realmId}, ${encodeMembers([])}, 0, now() - make_interval(secs => ${minutesAgo && minutesAgo * 60}::float))`;
}

async function left() {
  const { sql } = await getWorld();
  const seqs = await sql<{ seq: number }[]>`
    select seq::int from event_log where realm_id = ${realmId} order by seq`;
  const [audiences] = await sql<{ ages: number[] | null }[]>`
    select array_agg(coalesce(round(extract(epoch from now() - superseded_at) / 60), 0)::int
      order by superseded_at) as ages
    from audiences where realm_id = ${realmId}`;
  return { seqs: seqs.map(({ seq }) => seq), ages: audiences?.ages ?? [] };
}

afterEach(async () => {
  const { sql } = await getWorld();
  await sql`delete from event_log where realm_id = ${realmId}`;
  await sql`delete from audiences where realm_id = ${realmId}`;
});

test('an hour of the log is kept, and the audiences that it may refer to', async () => {
  const { sql } = await getWorld();
  expect(keptMinutes).toBe(60);
  await append(70, 1, 2);
  await append(61, 3);
  await append(59, 4);
  await append(0, 5);
  for (const minutes of [130, 121, 119, 61, null]) await supersede(minutes);
  expect(await trimLog(sql)).toEqual({ entries: 3, audiences: 2 });
  expect(await left()).toEqual({ seqs: [4, 5], ages: [119, 61, 0] });
  expect(await trimLog(sql)).toEqual({ entries: 0, audiences: 0 });
});

test('whatever waits to be deleted is deleted, in statements of ten thousand', async () => {
  const { sql } = await getWorld();
  await append(70, 1, 20_001);
  expect(await trimLog(sql)).toEqual({ entries: 20_001, audiences: 0 });
  expect(await left()).toEqual({ seqs: [], ages: [] });
});

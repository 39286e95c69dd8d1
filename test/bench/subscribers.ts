import { createSender } from '@parley/log';

import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { percentile, two } from './numbers.ts';
import { senderTo } from './plan.ts';

export interface SendCost {
  subscribers: number;
  rowsWritten: number;
  entryBytes: number;
  p50Ms: number;
  p99Ms: number;
}

const timed = 2000;
const warming = 200;
const content = 'A message of a usual length.';

/**
 * What one send costs Postgres, by how many hear it. One at a time, and to each crowd in turn, so that whatever else the
 * machine does meets all of them alike.
 */
export async function costsOfSends(servers: BenchServers, crowds: readonly Crowd[]): Promise<SendCost[]> {
  const measured = [];
  for (const crowd of crowds) {
    measured.push({ crowd, ...(await senderTo(servers, crowd.channel)), times: [] as number[] });
  }
  for (let number = -warming; number < timed; number += 1) {
    for (const { send, times } of measured) {
      const startMs = performance.now();
      await send(content);
      if (number >= 0) times.push(performance.now() - startMs);
    }
  }
  const costs = [];
  for (const { crowd, pending, times } of measured) {
    const counted = await countRows(servers, await pending(content));
    costs.push({
      subscribers: crowd.users.length,
      rowsWritten: counted.rows,
      entryBytes: counted.bytes,
      p50Ms: two(percentile(times, 0.5)),
      p99Ms: two(percentile(times, 0.99)),
    });
  }
  return costs;
}

type Pending = Awaited<ReturnType<Awaited<ReturnType<typeof senderTo>>['pending']>>;

/** Postgres's own count of the rows that one append touches, in one transaction with it. */
async function countRows({ sql, actor }: BenchServers, pending: Pending) {
  return await sql.begin(async (tx) => {
    const rowsSoFar = async () => {
      const [touched] = await tx<{ rows: number }[]>`
        select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as rows from pg_stat_xact_user_tables`;
      return touched?.rows ?? 0;
    };
    let bytes = 0;
    const publish = (_: number, [appended]: readonly object[]) => {
      if (appended && 'entry' in appended) bytes = Buffer.byteLength(String(appended.entry));
    };
    const before = await rowsSoFar();
    // Safe: a sender needs no more of its client than a statement.
    await createSender({ sql: tx as never, publisher: { publish } }).append(actor.realm.id, pending);
    return { rows: (await rowsSoFar()) - before, bytes };
  });
}

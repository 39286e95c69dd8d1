import { createSender } from '@parley/log';

import type { BenchServers } from './bench-servers.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import type { Bench } from './finding.ts';
import { percentile, two } from './numbers.ts';
import { senderTo } from './plan.ts';

interface SendCost {
  subscribers: number;
  rowsWritten: number;
  entryBytes: number;
  p50Ms: number;
  p99Ms: number;
}

const timed = 2000;
const warming = 200;
const content = 'A message of a usual length.';
const crowds = [10, 1000, 10_000, 100_000];
/** A median of 2 000 sends varies by less. */
const ratioMax = 1.5;

/**
 * What one send costs Postgres, by how many hear it. One at a time, and to each crowd in turn, so that whatever else the
 * machine does meets all of them alike.
 */
async function costsOfSends(servers: BenchServers, crowds: readonly Crowd[]): Promise<SendCost[]> {
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

/** What one send costs, whoever hears it. */
export const subscribers: Bench = async (servers, say) => {
  const gathered = [];
  for (const size of crowds) {
    say(`gathering ${size} subscribers …`);
    gathered.push(await gatherCrowd(servers, size));
  }
  say('one send to each, again and again …');
  const costs = await costsOfSends(servers, gathered);
  const [first, last] = [costs[0], costs.at(-1)];
  const ratio = (of: 'p50Ms' | 'p99Ms') => two((last?.[of] ?? 0) / (first?.[of] ?? 1));
  return {
    figures: { costs, ratio: ratio('p50Ms'), p99_ratio: ratio('p99Ms') },
    claim: {
      holds: ratio('p50Ms') < ratioMax && first?.rowsWritten === last?.rowsWritten,
      result: `${last?.rowsWritten} rows, p50 ${ratio('p50Ms')} × from 10 to 100 000 subscribers`,
    },
    rows: [
      ...costs.map(({ subscribers, rowsWritten, entryBytes, p50Ms, p99Ms }): [string, string] => [
        `one send to ${subscribers} subscribers`,
        `${rowsWritten} rows  ${entryBytes} bytes  p50 ${p50Ms} ms  p99 ${p99Ms} ms`,
      ]),
      ['  most against fewest, p50  p99', `${ratio('p50Ms')}  ${ratio('p99Ms')}`],
    ],
    picture: [],
  };
};

import type { BenchServers } from './bench-servers.ts';
import type { Crowd } from './crowd.ts';
import { senderTo } from './plan.ts';

export interface SendCost {
  subscribers: number;
  rowsWritten: number;
  entryBytes: number;
  medianMs: number;
}

const timed = 300;

/** What one send costs Postgres, by how many hear it. Alone and in sequence, so that the median is of one send. */
export async function costOfSend(servers: BenchServers, { channel, users }: Crowd): Promise<SendCost> {
  const { sql, actor } = servers;
  const { send, pending } = await senderTo(servers, channel);
  const times: number[] = [];
  for (let number = 0; number < timed; number += 1) {
    const startMs = performance.now();
    await send('A message of a usual length.');
    times.push(performance.now() - startMs);
  }
  const pendings = JSON.stringify([pending('A message of a usual length.')]);
  // Postgres's own count of the rows that one append touched, in one transaction with it.
  const counted = await sql.begin(async (tx) => {
    const rowsSoFar = async () => {
      const [touched] = await tx<{ rows: number }[]>`
        select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as rows from pg_stat_xact_user_tables`;
      return touched?.rows ?? 0;
    };
    const before = await rowsSoFar();
    const [appended] = await tx<{ bytes: number }[]>`
      select octet_length(entry) as bytes from append_to_log(${actor.realm.id}, ${pendings}::text::jsonb, '[]', true)`;
    return { rows: (await rowsSoFar()) - before, bytes: appended?.bytes ?? -1 };
  });
  times.sort((a, b) => a - b);
  return {
    subscribers: users.length,
    rowsWritten: counted.rows,
    entryBytes: counted.bytes,
    medianMs: Number((times[Math.floor(times.length / 2)] ?? 0).toFixed(2)),
  };
}

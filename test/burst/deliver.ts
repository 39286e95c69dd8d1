import { connectSql } from '@parley/db';
import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';
import { Redis } from 'ioredis';

/** What is broken while the workers send: the part that is sent by then, and what happens. */
const faults: readonly { part: number; what: string; strike(cluster: Cluster): Promise<void> }[] = [
  { part: 0.25, what: 'FLUSHALL', strike: flush },
  { part: 0.5, what: 'SIGKILL worker-1', strike: killWorker },
];

const silentMsMax = 90_000;

/** Resolves when nothing waits any more, or nothing was sent for a minute and a half. Returns the faults on the way. */
export async function untilDelivered(
  cluster: Cluster,
  { prefix, messages }: { prefix: string; messages: number },
  say: (line: string) => void,
): Promise<string[]> {
  const sql = connectSql({ url: cluster.postgres.url, name: 'burst', max: 1 });
  const struck: string[] = [];
  let [sent, changedMs, saidMs] = [0, Date.now(), Date.now()];
  while (sent < messages && Date.now() < changedMs + silentMsMax) {
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int as count from scheduled_messages
      where sent_at is not null and starts_with(content, ${prefix})`;
    if (count > sent) changedMs = Date.now();
    sent = count;
    const fault = faults[struck.length];
    if (fault && sent >= messages * fault.part) {
      say(`  ${fault.what} at ${sent} of ${messages}`);
      struck.push(fault.what);
      await fault.strike(cluster);
    }
    if (Date.now() > saidMs + 2000) {
      say(`  ${sent} of ${messages} sent`);
      saidMs = Date.now();
    }
    await pause(50);
  }
  await sql.end();
  return struck;
}

async function flush({ redis }: Cluster): Promise<void> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
}

async function killWorker(cluster: Cluster): Promise<void> {
  const worker = cluster.nodes.find(({ role }) => role === 'worker');
  if (!worker) throw new Error('There is no worker.');
  cluster.kill(worker);
  await Promise.resolve();
}

import { readHeads } from '@parley/log';
import * as model from '@parley/model';
import { queueIds, queueTimes } from '@parley/protocol';
import { type RegisteredQueue, createSigner, listQueues } from '@parley/redis';

import type { Deployment } from './deployment.ts';

/** An event queue as an operator sees it. */
interface QueueRow {
  queue_id: string;
  realm_id: number;
  realm: string;
  user_id: number;
  email: string | null;
  /** The queue node where its latest poll waits, or waited: host, process and start. */
  node: string | null;
  /** The entry of the log up to which its client has acknowledged everything, as of `seen_seconds_ago`. */
  cursor: number;
  /** Entries of the log after the cursor. Of a poll that waits, none of them is for this queue. */
  behind: number;
  /** How long ago it was written to the registry, as a queue that is polled is every half minute. */
  seen_seconds_ago: number;
  /** For how long it lives without a poll. */
  idle_seconds: number;
}

export interface QueueList {
  /** How many queues there are. */
  count: number;
  /** How many of them have their latest poll at each node. */
  nodes: Record<string, number>;
  /** Those that are the furthest behind, at most `limit`. */
  queues: QueueRow[];
}

/** Returns the event queues of one organization, or of all. Only the rows that are answered are kept in memory. */
export async function listQueueRows(
  deployment: Deployment,
  { realmId, limit }: { realmId: number | undefined; limit: number },
): Promise<QueueList> {
  const { engine } = deployment;
  const signer = createSigner(deployment.getSecrets());
  const seen = new Set<string>();
  const nodes: Record<string, number> = {};
  let furthest: Omit<QueueRow, 'email'>[] = [];
  for await (const page of listQueues(deployment.getRedis(), signer)) {
    const queues = page.filter(
      ({ record }) => !seen.has(record.id) && (realmId === undefined || record.realmId === realmId),
    );
    for (const { record, holder } of queues) {
      seen.add(record.id);
      if (holder !== null) nodes[holder] = (nodes[holder] ?? 0) + 1;
    }
    const heads = await readHeads(engine.sql, [...new Set(queues.map(({ record }) => record.realmId))]);
    const headOf = new Map(heads.map((head) => [head.realmId, head.seq]));
    const rows = queues.map((queue) => rowOf(queue, headOf.get(queue.record.realmId) ?? 0));
    furthest = [...furthest, ...rows].sort((a, b) => b.behind - a.behind).slice(0, limit);
  }
  return { count: seen.size, nodes, queues: await withEmails(deployment, furthest) };
}

function rowOf({ record, holder, ttlSeconds }: RegisteredQueue, head: number): Omit<QueueRow, 'email'> {
  const { registeredAt, acknowledged } = record;
  const cursor = Math.max(
    registeredAt,
    acknowledged === undefined ? 0 : queueIds(record).seqOf(acknowledged),
  );
  return {
    queue_id: record.id,
    realm_id: record.realmId,
    realm: record.realm,
    user_id: record.userId,
    node: holder,
    cursor,
    behind: Math.max(0, head - cursor),
    seen_seconds_ago: Math.max(0, record.idleSeconds + queueTimes.registrySlackSeconds - ttlSeconds),
    idle_seconds: record.idleSeconds,
  };
}

async function withEmails({ engine }: Deployment, rows: Omit<QueueRow, 'email'>[]): Promise<QueueRow[]> {
  const emails = new Map<number, string>();
  for (const realmId of new Set(rows.map(({ realm_id }) => realm_id))) {
    const ids = rows.filter(({ realm_id }) => realm_id === realmId).map(({ user_id }) => user_id);
    for (const { id, email } of await model.users.listUsers(engine.db, realmId, [...new Set(ids)]))
      emails.set(id, email);
  }
  return rows.map((row) => ({ ...row, email: emails.get(row.user_id) ?? null }));
}

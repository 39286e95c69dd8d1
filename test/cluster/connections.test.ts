import { connectSql } from '@parley/db';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { connectionsOfNodes } from '../docs/connections.ts';
import { createDatabase } from '../support/database.ts';
import { type DemoCluster, startDemoCluster } from '../support/demo-cluster.ts';

const settings = { DATABASE_CONNECTIONS: 1, LOG_PARTITIONS: 1 };
const each = connectionsOfNodes(settings);
const nodes = { api: 2, queue: 2, worker: 1 };

let database: Awaited<ReturnType<typeof createDatabase>>;
let demos: DemoCluster;

beforeAll(async () => {
  database = await createDatabase();
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  demos = await startDemoCluster({ env, databaseUrl: database.url });
});

afterAll(async () => {
  await demos[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Asks for several things at once, and every queue node for its part, so that nodes use all of their pools. */
async function ask(): Promise<void> {
  const { email, api_key } = demos.demo('Alice Member');
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  const url = `${demos.cluster.baseUrl}/api/v1`;
  const message = { type: 'channel', to: 'general', topic: 't', content: 'seen' };
  const narrow = '?anchor=newest&num_before=100&num_after=0&narrow=[]';
  await Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      const body = new URLSearchParams({ ...message, topic: `t${at}` });
      await (await fetch(`${url}/messages`, { method: 'POST', headers, body })).arrayBuffer();
      await (await fetch(`${url}/messages${narrow}`, { headers })).arrayBuffer();
      const registering = await fetch(`${url}/register`, { method: 'POST', headers });
      const { queue_id: queue } = (await registering.json()) as { queue_id?: string };
      if (queue === undefined) return;
      const asked = new URLSearchParams({ queue_id: queue, last_event_id: '-1', dont_block: 'true' });
      await Promise.all(
        demos.cluster.nodes
          .filter(({ role }) => role === 'queue')
          .map(async (node) =>
            (await fetch(`${node.url}/api/v1/events?${asked.toString()}`, { headers })).arrayBuffer(),
          ),
      );
    }),
  );
}

test('nodes open as many connections to Postgres as is documented', async () => {
  const sql = connectSql({ url: database.url, name: 'test', max: 1 });
  const open = async () => {
    const rows = await sql<{ role: keyof typeof nodes; count: number }[]>`
      select split_part(application_name, '-', 2) as role, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name ~ '^parley-(api|queue|worker)' group by 1`;
    return Object.fromEntries(rows.map(({ role, count }) => [role, count]));
  };
  try {
    const { api, queue, worker } = each;
    await vi.waitFor(
      async () => {
        await ask();
        expect(await open()).toMatchObject({
          api: nodes.api * api.postgres,
          queue: nodes.queue * queue.postgres,
        });
      },
      { timeout: 120_000, interval: 100 },
    );
    expect((await open())['worker']).toBeLessThanOrEqual(worker.postgres);
  } finally {
    await sql.end({ timeout: 5 });
  }
});

test('nodes open as many connections to Redis as is documented', async () => {
  const redis = new Redis(demos.cluster.redis.url);
  const meant = (['api', 'queue', 'worker'] as const).reduce(
    (total, role) => total + nodes[role] * each[role].redis,
    0,
  );
  try {
    await vi.waitFor(
      async () => {
        await ask();
        const clients = (await redis.call('CLIENT', 'LIST')) as string;
        const own = await redis.client('ID');
        expect(
          clients
            .trim()
            .split('\n')
            .filter((line) => !line.startsWith(`id=${own} `)),
        ).toHaveLength(meant);
      },
      { timeout: 120_000, interval: 100 },
    );
  } finally {
    redis.disconnect();
  }
});

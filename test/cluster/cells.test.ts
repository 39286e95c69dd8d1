import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { connectSql, migrate } from '@parley/db';
import { type Cluster, startCluster } from '@parley/infra';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type ChaosRealm, channelNames, createChaosRealm } from '../chaos/chaos-realm.ts';

/** A deployment of its own, with a database and a Redis of its own, for some of the organizations. */
interface Cell {
  cluster: Cluster;
  realm: ChaosRealm;
  realmName: string;
}

let dir: string;
let cells: Cell[] = [];
let front: Server;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-cells-'));
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  cells = await Promise.all(['acme', 'globex'].map(startCell));
  front = createFront(
    new Map(cells.map(({ realmName, cluster }) => [`${realmName}.localhost`, cluster.baseUrl])),
  );
  await new Promise<void>((listening) => front.listen({ port: 0, host: '127.0.0.1' }, listening));
});

afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await Promise.all(cells.map(({ cluster }) => cluster.stop()));
  await rm(dir, { recursive: true, force: true });
});

async function startCell(realmName: string): Promise<Cell> {
  let realm: ChaosRealm | undefined;
  const cluster = await startCluster({
    dir: join(dir, realmName),
    api: 1,
    queue: 1,
    worker: 0,
    durable: false,
    say: () => undefined,
    async prepare(servers) {
      await migrate(servers.databaseUrl);
      realm = await createChaosRealm(servers, { name: realmName, members: 5 });
    },
  });
  if (!realm) throw new Error('The realm was not created.');
  return { cluster, realm, realmName };
}

/** What stands in front of the cells: it asks that cell which has the organization of the host. */
function createFront(cellOf: ReadonlyMap<string, string>): Server {
  return createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const cell = cellOf.get(headers.host ?? '');
    if (!cell) {
      outgoing.writeHead(404).end();
      return;
    }
    const asked = request(`${cell}${url}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
}

async function ask(
  { realmName, realm }: Cell,
  method: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, never> & Record<string, unknown> }> {
  const form = new URLSearchParams(fields).toString();
  const isGet = method === 'GET';
  // Safe: it listens to a port.
  const { port } = front.address() as AddressInfo;
  const reply = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(
      {
        port,
        method,
        path: `/api/v1${path}${isGet ? `?${form}` : ''}`,
        headers: {
          host: `${realmName}.localhost`,
          authorization: realm.members[0]?.authorization,
          'content-type': 'application/x-www-form-urlencoded',
        },
      },
      (answer) =>
        void text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, text: said }), reject),
    );
    asked.on('error', reject);
    asked.end(isGet ? '' : form);
  });
  return { status: reply.status, body: JSON.parse(reply.text) };
}

const send = (cell: Cell, content: string) =>
  ask(cell, 'POST', '/messages', { type: 'channel', to: channelNames.square, topic: 'cells', content });

test('two databases serve two organizations behind one front', async () => {
  for (const cell of cells) {
    const { body: queue } = await ask(cell, 'POST', '/register', { event_types: '["message"]' });
    const sent = await send(cell, `said at ${cell.realmName}`);
    expect(sent).toMatchObject({ status: 200 });
    const { body } = await ask(cell, 'GET', '/events', {
      queue_id: String(queue['queue_id']),
      last_event_id: String(queue['last_event_id']),
    });
    expect(body).toMatchObject({ events: [{ message: { content: `said at ${cell.realmName}` } }] });
  }
  for (const { cluster, realmName } of cells) {
    const sql = connectSql({ url: cluster.postgres.url, name: 'cells', max: 1 });
    const realms =
      await sql`select name, (select count(distinct realm_id) from event_log) as logs from realms`;
    await sql.end();
    expect(realms).toEqual([{ name: realmName, logs: 1 }]);
  }
});

test('a database that dies takes only its own organizations with it', async () => {
  const [acme, globex] = cells;
  if (!acme || !globex) throw new Error('There are two cells.');
  await globex.cluster.postgres.crash?.();
  expect((await send(globex, 'nobody takes this')).status).toBe(503);
  expect((await send(acme, 'as if nothing had happened')).status).toBe(200);
});

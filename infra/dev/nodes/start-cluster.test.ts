import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';

import { execa } from 'execa';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';

import { freePort } from '../machine/free-port.ts';
import { repoRoot } from '../machine/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../machine/temporary-folder.test-support.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import type { Redis } from '../redis/redis.ts';
import { startRedis } from '../redis/start-redis.ts';
import { eventually } from '../testing/eventually.ts';
import { writeFakeService } from '../testing/fake-service.ts';
import { isAlive } from '../testing/is-alive.ts';
import { claimFolder } from './claim-folder.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { command } from './control.ts';
import { startCluster } from './start-cluster.ts';

let folder: TemporaryFolder;
let entry: string;
/** Servers for the clusters that neither start nor stop their own: their nodes ask nothing of them. */
let postgres: Postgres;
let redis: Redis;
beforeAll(async () => {
  folder = await temporaryFolder();
  entry = await writeFakeService(folder.path);
  const place = { dir: join(folder.path, 'servers'), say: () => {} };
  postgres = await startPostgres({ ...place, durable: false });
  redis = await startRedis(place);
});
afterAll(async () => {
  await redis.stop();
  await postgres.stop();
  await folder[Symbol.asyncDispose]();
});

describe('startCluster', () => {
  let runs = 0;

  async function cluster(options: Partial<ClusterOptions> = {}) {
    runs += 1;
    const dir = join(folder.path, String(runs));
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const counts = { api: 1, queue: 2, worker: 1 };
    const fixed = { dir, durable: false, entryOf: () => entry, prepare: async () => {}, say };
    const servers = { databaseUrl: postgres.url, redisUrl: redis.url };
    const started = await startCluster({ ...counts, ...fixed, ...servers, ...options });
    return Object.assign(started, { dir, said });
  }

  const readFileOf = async (dir: string) => JSON.parse(await readFile(join(dir, 'cluster.json'), 'utf8'));

  test('starts every node with its own port and what it needs, behind one address', async () => {
    await using running = await cluster({ env: { FAKE: 'yes' } });

    const names = running.nodes.map(({ name }) => name);
    expect(names).toEqual(['api-1', 'queue-1', 'queue-2', 'worker-1']);
    for (const { url, pid, port } of running.nodes) {
      expect(await (await fetch(url)).json()).toEqual({
        pid,
        port: String(port),
        DATABASE_URL: running.postgres.url,
        REDIS_URL: running.redis.url,
        PARLEY_SECRET: running.secret,
        BASE_URL: running.baseUrl,
        FAKE: 'yes',
      });
    }
    expect(running.secret).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(join(running.dir, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await (await fetch(running.baseUrl)).json()).toMatchObject({ pid: running.nodes[0]?.pid });
    expect(await readFileOf(running.dir)).toEqual({
      base_url: running.baseUrl,
      nodes: running.nodes.map(({ role, pid, url, metricsUrl }) => ({ role, pid, url, metrics: metricsUrl })),
    });
  });

  test('leaves its settings where programs beside it find them, as long as it runs', async () => {
    const running = await cluster({ env: { LOG_PARTITIONS: '4', FAKE: 'yes' } });
    const file = join(running.dir, 'env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const settings = parseEnv(await readFile(file, 'utf8'));
    expect(settings).toMatchObject({
      DATABASE_URL: running.postgres.url,
      REDIS_URL: running.redis.url,
      PARLEY_SECRET: running.secret,
      LOG_PARTITIONS: '4',
    });
    expect(settings).not.toHaveProperty('PORT');
    expect(settings).not.toHaveProperty('FAKE');
    await running.stop();
    expect(existsSync(file)).toBe(false);
  });

  test('reports a node that is killed, restarts it on its port and rewrites cluster.json', async () => {
    await using running = await cluster();
    const [node] = running.nodes.filter(({ name }) => name === 'queue-2');
    if (!node) throw new Error('no queue-2');
    const before = node.pid;

    running.kill(node);
    await running.whenReady();

    expect(node.pid).not.toBe(before);

    expect(running.said).toContain(
      `queue-2 (pid ${before}) was killed by SIGKILL; restarting as pid ${node.pid}`,
    );
    expect(await (await fetch(node.url)).json()).toMatchObject({ pid: node.pid });
    expect((await readFileOf(running.dir)).nodes).toContainEqual({
      role: 'queue',
      pid: node.pid,
      url: node.url,
      metrics: node.metricsUrl,
    });
    expect(await readFile(node.log, 'utf8')).toBe(`listening on ${node.port}\n`.repeat(2));
  });

  test('replaces a node that hangs', async () => {
    await using running = await cluster();
    const [node] = running.nodes.filter(({ name }) => name === 'queue-1');
    if (!node) throw new Error('no queue-1');
    const before = node.pid;
    const hung = fetch(node.url).then(
      () => 'answered',
      () => 'ended',
    );

    running.kill(node, 'SIGSTOP');
    await eventually(() => node.pid !== before);
    await running.whenReady();

    expect(running.said).toContainEqual(
      expect.stringMatching(`^queue-1 \\(pid ${before}\\) has not answered for [\\d.]+ seconds$`),
    );
    expect(['answered', 'ended']).toContain(await hung);
    expect(await (await fetch(node.url)).json()).toMatchObject({ pid: node.pid });
  });

  test('leaves a drained node down until it is started', async () => {
    await using running = await cluster();
    const [node] = running.nodes;
    if (!node) throw new Error('no node');

    await running.drain(node);
    expect(node.pid).toBeUndefined();
    expect(await readFile(node.log, 'utf8')).toContain('drained');
    expect((await fetch(running.baseUrl)).status).toBe(503);
    await running.start(node);

    expect((await fetch(running.baseUrl)).status).toBe(200);
    expect(running.said.filter((line) => line.includes('restarting'))).toEqual([]);
  });

  test('starts and ends nodes until there are as many as are wanted', async () => {
    await using running = await cluster({ api: 2 });
    const names = () => running.nodes.map(({ name }) => name);
    const answering = async () => {
      const ask = async () => JSON.parse(await (await fetch(running.baseUrl)).text()).port as string;
      return new Set(await Promise.all(Array.from({ length: 20 }, ask)));
    };

    await running.scale({ api: 3, queue: 1, worker: 0 });
    expect(names()).toEqual(['api-1', 'api-2', 'api-3', 'queue-1']);
    expect(await answering()).toEqual(new Set(running.nodes.slice(0, 3).map(({ port }) => String(port))));
    expect((await readFileOf(running.dir)).nodes).toHaveLength(4);

    const [first, , last] = running.nodes;
    await running.scale({ api: 1 });
    expect(names()).toEqual(['api-1', 'queue-1']);
    expect([last?.pid, await answering()]).toEqual([undefined, new Set([String(first?.port)])]);
  });

  test('replaces the process of every node', async () => {
    await using running = await cluster();
    const before = running.nodes.map(({ name, pid }) => ({ name, pid }));

    await running.roll();

    expect(running.nodes.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(before.map(({ pid }) => isAlive(Number(pid)))).toEqual(before.map(() => false));
    expect(running.nodes.map(({ pid }) => isAlive(Number(pid)))).toEqual(before.map(() => true));
  });

  test('obeys commands in its folder', async () => {
    await using running = await cluster();
    await expect(command(running.dir, ['scale', 'api=1'])).rejects.toThrow('No cluster runs in');
    await using claim = await claimFolder(running.dir, running.baseUrl);
    await expect(command(running.dir, ['scale', 'api=1'])).rejects.toThrow('still starting');
    claim.takeCommandsFor(running);
    expect(await command(running.dir, ['scale', 'queue=1', 'worker=0'])).toMatch(
      /^Nodes: api-1 \(pid \d+\), queue-1 \(pid \d+\)$/,
    );
    expect(running.nodes).toHaveLength(2);
    for (const [words, said] of [
      [['scale'], 'scale queue=5'],
      [['scale', 'queue=0'], 'from 1 to 64'],
      [['scale', 'queues=2'], 'The roles are api, queue, worker'],
      [['constructor'], 'The commands are scale and roll'],
    ] as const) {
      await expect(command(running.dir, words)).rejects.toThrow(said);
    }
    expect(running.nodes).toHaveLength(2);
  });

  test('stops everything and takes cluster.json away', async () => {
    const running = await cluster({ databaseUrl: undefined, redisUrl: undefined });
    const { nodes, proxy } = running;
    const pids = [...nodes, running.postgres, running.redis, proxy].map(({ pid }) => Number(pid));
    expect(pids.map(isAlive)).toEqual(pids.map(() => true));

    await running.stop();

    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(join(running.dir, 'cluster.json'))).toBe(false);
  });

  test('a start that fails shows the log of the node and leaves nothing running', async () => {
    const starting = cluster({ env: { FAKE_FAILS: '1' } });

    await expect(starting).rejects.toThrow(/ended with exit code 3 before it was ready[^]*has 1 mistake/);
    const { stdout } = await execa('ps', ['-eo', 'args=']);
    expect(stdout).not.toContain(join(folder.path, String(runs)));
  });

  test('says what to do when the port is taken', async () => {
    const port = await freePort();
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));

    await expect(cluster({ port })).rejects.toThrow(`Another program listens on port ${port}`);
    squatter.close();
  });

  test('leaves nothing behind when the supervisor itself is killed, and starts again on the same data', async () => {
    const dir = join(folder.path, 'orphans');
    const script = `
      import { startCluster } from ${JSON.stringify(join(repoRoot(), 'infra/dist/dev/index.js'))};
      const cluster = await startCluster({ dir: ${JSON.stringify(dir)}, api: 1, queue: 1, worker: 1, durable: true,
        entryOf: () => ${JSON.stringify(entry)}, prepare: async () => {}, say: () => {} });
      const { nodes, postgres, redis, proxy } = cluster;
      console.log(JSON.stringify([...nodes, postgres, redis, proxy].map(({ pid }) => pid)));
    `;
    for (let life = 0; life < 2; life += 1) {
      const supervisor = execa(process.execPath, ['--input-type=module', '-e', script], { reject: false });
      const [line] = await once(createInterface(supervisor.stdout), 'line');
      const pids = JSON.parse(String(line)) as number[];
      expect(pids).toHaveLength(6);

      supervisor.kill('SIGKILL');
      await eventually(() => pids.every((pid) => !isAlive(pid)));
    }
  });
});

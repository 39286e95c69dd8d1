import type { ChildProcess } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import { afterEach, expect, test, vi } from 'vitest';

import { freePort } from '../../dev/machine/free-port.ts';
import { repoRoot } from '../../dev/machine/paths.ts';
import { makeTiedFolder } from '../../dev/machine/tied-folder.ts';
import { spawnTied } from '../../dev/machine/tied-process.ts';
import { findRedisBinary } from '../../dev/redis/redis-binary.ts';

const password = 'for-this-test-alone';
const limit = { timeout: 120_000, interval: 100 };
/** Pods have addresses of their own, and so do these servers. */
const servers = ['127.0.17.1', '127.0.17.2', '127.0.17.3'];
const sentinels = ['127.0.17.4', '127.0.17.5', '127.0.17.6'];

const running = new Map<string, ChildProcess>();
let dir = '';
afterEach(async () => {
  await Promise.all([...running.keys()].map(kill));
  if (dir !== '') await rm(dir, { recursive: true, force: true });
});

async function kill(own: string): Promise<void> {
  const child = running.get(own);
  running.delete(own);
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

interface Ports {
  redis: number;
  sentinel: number;
}

/** Starts a script of the ConfigMap as its Pod would, and again whenever it ends by itself. */
async function startAsPod(script: string, own: string, ports: Ports): Promise<void> {
  const { libraries } = await findRedisBinary(() => undefined);
  const folder = join(dir, own);
  await mkdir(folder, { recursive: true });
  const start = () => {
    const child = spawnTied('sh', [join(repoRoot(), 'infra/k8s/redis', script)], {
      cwd: folder,
      env: {
        PATH: `${join(dir, 'bin')}:${process.env['PATH']}`,
        ...(libraries && { LD_LIBRARY_PATH: libraries }),
        OWN: own,
        BIND: own,
        FOLDER: folder,
        MEMORY: '64mb',
        REDISCLI_AUTH: password,
        SERVERS: servers.join(' '),
        SENTINELS: sentinels.join(' '),
        REDIS_PORT: String(ports.redis),
        SENTINEL_PORT: String(ports.sentinel),
      },
      stdio: 'ignore',
      deathSignal: 'KILL',
    });
    running.set(own, child);
    child.once('exit', () => {
      if (running.get(own) === child) start();
    });
  };
  start();
}

async function ask<Answer>(
  host: string,
  port: number,
  work: (redis: Redis) => Promise<Answer>,
): Promise<Answer> {
  const redis = new Redis({
    host,
    port,
    password,
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: 1000,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

// Elsewhere there is one address of loopback alone.
const isLinux = process.platform === 'linux';

test.runIf(isLinux)(
  'the servers and sentinels of the manifests find each other, and a master that dies is replaced and comes back as a replica',
  async () => {
    dir = await makeTiedFolder('parley-sentinels-');
    const { path } = await findRedisBinary(() => undefined);
    await mkdir(join(dir, 'bin'));
    await symlink(path, join(dir, 'bin/redis-server'));
    await symlink(path.replace(/-server$/, '-cli'), join(dir, 'bin/redis-cli'));
    const ports = { redis: await freePort(), sentinel: await freePort() };
    const roleOf = async (host: string) =>
      await ask(host, ports.redis, async (redis) => /role:(\w+)/.exec(await redis.info('replication'))?.[1]);
    const rolesOf = async () => await Promise.all(servers.map(roleOf));
    const masterFor = async (host: string) =>
      await ask(host, ports.sentinel, async (redis) => {
        const [name] = (await redis.call('SENTINEL', 'get-master-addr-by-name', 'main')) as string[];
        return name;
      });
    const others = async (host: string) =>
      await ask(host, ports.sentinel, async (redis) => {
        const master = (await redis.call('SENTINEL', 'master', 'main')) as string[];
        const count = (field: string) => Number(master[master.indexOf(field) + 1]);
        return [count('num-slaves'), count('num-other-sentinels')];
      });

    await Promise.all([
      ...servers.map((own) => startAsPod('start-redis.sh', own, ports)),
      ...sentinels.map((own) => startAsPod('start-sentinel.sh', own, ports)),
    ]);
    await vi.waitFor(async () => expect(await rolesOf()).toEqual(['master', 'slave', 'slave']), limit);
    for (const sentinel of sentinels)
      await vi.waitFor(async () => expect(await others(sentinel)).toEqual([2, 2]), limit);

    const hosts = sentinels.map((host) => ({ host, port: ports.sentinel }));
    const client = new Redis({ sentinels: hosts, name: 'main', password, sentinelPassword: password });
    client.on('error', () => undefined);
    try {
      await client.set('kept', 'yes');
      expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      await vi.waitFor(
        async () =>
          expect(await ask(servers[1] ?? '', ports.redis, (redis) => redis.get('kept'))).toBe('yes'),
        limit,
      );
      await kill(servers[0] ?? '');
      for (const sentinel of sentinels)
        await vi.waitFor(async () => expect(servers.slice(1)).toContain(await masterFor(sentinel)), limit);
      await vi.waitFor(async () => expect(await client.get('kept')).toBe('yes'), limit);

      await startAsPod('start-redis.sh', servers[0] ?? '', ports);
      await vi.waitFor(async () => expect(await roleOf(servers[0] ?? '')).toBe('slave'), limit);
      // A sentinel that lost what it knew is told by the others.
      await kill(sentinels[0] ?? '');
      await startAsPod('start-sentinel.sh', sentinels[0] ?? '', ports);
      await vi.waitFor(
        async () => expect(servers.slice(1)).toContain(await masterFor(sentinels[0] ?? '')),
        limit,
      );
    } finally {
      client.disconnect();
    }
  },
);

import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pause, systemClock } from '@parley/kit';
import type { Redis as Client } from 'ioredis';

import { freePort } from '../machine/free-port.ts';
import { retryUntil } from '../machine/retry-until.ts';
import type { Say } from '../machine/say.ts';
import { spawnTied } from '../machine/tied-process.ts';
import { findRedisBinary } from './redis-binary.ts';
import { type Redis, redisArguments } from './redis.ts';
import { withRedis } from './with-redis.ts';

/** Several Redis servers, of which some stand by to take another's place. */
type RedisGroup = Redis & Required<Pick<Redis, 'failOver'>>;

interface Member {
  port: number;
  busPort: number;
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

const limitMs = 240_000;
/** After so much silence a server counts as dead. */
const silentMs = 1000;
const replicated = ['--repl-diskless-sync-delay', '0', '--replica-announce-ip', '127.0.0.1'];

type AddMember = (
  name: string,
  args: (ports: { port: number; busPort: number }) => string[],
) => Promise<Member>;

async function startMembers<Made>(
  dir: string,
  say: Say,
  make: (add: AddMember) => Promise<Made>,
): Promise<Made & Pick<Redis, 'stop' | 'source'>> {
  const { path, libraries, source } = await findRedisBinary(say);
  const members: Member[] = [];
  const stop = async () => {
    await Promise.all(members.map((member) => member.kill()));
  };
  const add: AddMember = async (name, argsOf) => {
    const [port, busPort] = [await freePort(), await freePort()];
    const home = join(dir, name);
    await mkdir(home, { recursive: true });
    const url = `redis://127.0.0.1:${port}`;
    let child: ChildProcess | undefined;
    const member: Member = {
      port,
      busPort,
      url,
      async start() {
        child = spawnTied(path, argsOf({ port, busPort }), {
          cwd: home,
          env: { PATH: process.env.PATH, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
          stdio: 'ignore',
          deathSignal: 'KILL',
        });
        await retryUntil(() => withRedis(url, (redis) => redis.ping()), AbortSignal.timeout(limitMs));
      },
      async kill() {
        const running = child;
        if (!running || running.exitCode !== null || running.signalCode !== null) return;
        const ended = new Promise((resolve) => running.once('exit', resolve));
        running.kill('SIGKILL');
        await ended;
      },
    };
    members.push(member);
    await member.start();
    return member;
  };
  try {
    return { ...(await make(add)), source, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Arguments of a server on this port, in its own folder. */
const server = (port: number) => [
  '--port',
  String(port),
  '--bind',
  '127.0.0.1',
  ...redisArguments,
  ...replicated,
];

/** A master, two replicas, and three sentinels that know the master as `main`. */
export async function startRedisWithSentinels(dir: string, say: Say): Promise<RedisGroup> {
  const group = await startMembers(dir, say, async (add) => {
    const first = await add('redis-1', ({ port }) => server(port));
    const follows = ['--replicaof', '127.0.0.1', String(first.port)];
    const servers = [first];
    for (const name of ['redis-2', 'redis-3']) {
      servers.push(await add(name, ({ port }) => [...server(port), ...follows]));
    }
    const sentinels: Member[] = [];
    for (const name of ['sentinel-1', 'sentinel-2', 'sentinel-3']) {
      const lines = [
        `sentinel monitor main 127.0.0.1 ${first.port} 2`,
        `sentinel down-after-milliseconds main ${silentMs}`,
        'sentinel failover-timeout main 5000',
        'bind 127.0.0.1',
      ];
      await mkdir(join(dir, name), { recursive: true });
      await writeFile(join(dir, name, 'sentinel.conf'), `${lines.join('\n')}\n`);
      sentinels.push(await add(name, ({ port }) => ['sentinel.conf', '--sentinel', '--port', String(port)]));
    }
    const masters = async () =>
      await Promise.all(
        sentinels.map(({ url }) =>
          withRedis(url, async (redis) => {
            const answer = (await redis.call('SENTINEL', 'get-master-addr-by-name', 'main')) as string[];
            return Number(answer[1]);
          }),
        ),
      );
    const replicasOf = async (port: number) =>
      await infoOf(`redis://127.0.0.1:${port}`, 'replication', 'connected_slaves');
    const others = async () =>
      await Promise.all(
        sentinels.map(({ url }) =>
          withRedis(
            url,
            async (redis) => ((await redis.call('SENTINEL', 'sentinels', 'main')) as unknown[]).length,
          ),
        ),
      );
    await until('the sentinels know each other and the replicas', async () => {
      return (await others()).every((count) => count === 2) && (await replicasOf(first.port)) === '2';
    });
    return {
      url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
      async failOver() {
        const [before] = await masters();
        const killed = servers.find(({ port }) => port === before);
        await killed?.kill();
        await until('another is the master', async () => {
          const known = await masters();
          return known.every((port) => port === known[0] && port !== before);
        });
        await killed?.start();
        const [now = 0] = await masters();
        await until('the killed one is a replica', async () => (await replicasOf(now)) === '2');
      },
    };
  });
  return { ...group, [Symbol.asyncDispose]: group.stop };
}

const slots = 16_384;

/** Three masters, each with a replica. */
export async function startRedisCluster(dir: string, say: Say): Promise<RedisGroup> {
  const group = await startMembers(dir, say, async (add) => {
    const servers: Member[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(silentMs)];
      const member = await add(`redis-${number}`, ({ port, busPort }) => [
        ...server(port),
        ...cluster,
        '--cluster-port',
        String(busPort),
        '--cluster-replica-validity-factor',
        '0',
      ]);
      servers.push(member);
    }
    await join6(servers);
    const masterPorts = async () => {
      for (const { url } of servers) {
        const lines = await withRedis(url, (redis) => redis.cluster('NODES') as Promise<string>).catch(
          () => '',
        );
        const masters = lines.split('\n').filter((line) => /\bmaster\b/.test(line) && !/fail/.test(line));
        if (masters.length > 0) return masters.map((line) => Number(/:(\d+)@/.exec(line)?.[1]));
      }
      return [];
    };
    let turn = 0;
    return {
      url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      async failOver() {
        const before = (await masterPorts()).sort((a, b) => a - b);
        const port = before[turn++ % before.length];
        const killed = servers.find((one) => one.port === port);
        await killed?.kill();
        const others = servers.filter((one) => one !== killed);
        await until('a replica has taken its place', async () => {
          const now = await masterPorts();
          return now.length === before.length && !now.includes(port ?? 0) && (await areAllWell(others));
        });
        await killed?.start();
        await until('the killed one is a replica', async () => {
          const url = killed?.url ?? '';
          return (
            (await infoOf(url, 'replication', 'master_link_status')) === 'up' && (await areAllWell(servers))
          );
        });
      },
    };
  });
  return { ...group, [Symbol.asyncDispose]: group.stop };
}

/** Makes a cluster of six servers that know nothing of each other. */
async function join6(servers: readonly Member[]): Promise<void> {
  const [first] = servers;
  if (!first) return;
  const ask = async <Answer>(member: Member, use: (redis: Client) => Promise<Answer>) =>
    await withRedis(member.url, use);
  const masters = servers.slice(0, 3);
  for (const [number, member] of servers.entries()) {
    await ask(member, (redis) => redis.call('CLUSTER', 'SET-CONFIG-EPOCH', number + 1));
    if (member !== first) {
      await ask(first, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', member.port, member.busPort));
    }
  }
  for (const [number, member] of masters.entries()) {
    const [from, to] = [number, number + 1].map((third) => Math.floor((third * slots) / 3));
    await ask(member, (redis) => redis.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1));
  }
  await until('all know each other', async () => {
    const counts = await Promise.all(servers.map((member) => clusterInfo(member.url, 'cluster_known_nodes')));
    return counts.every((count) => count === '6');
  });
  for (const [number, replica] of servers.slice(3).entries()) {
    const master = masters[number];
    if (!master) continue;
    const id = await ask(master, (redis) => redis.call('CLUSTER', 'MYID'));
    await ask(replica, (redis) => redis.call('CLUSTER', 'REPLICATE', String(id)));
  }
  await until('the cluster serves', () => areAllWell(servers));
  for (const replica of servers.slice(3)) {
    const isUp = async () => (await infoOf(replica.url, 'replication', 'master_link_status')) === 'up';
    await until('every replica follows', isUp);
  }
}

async function areAllWell(servers: readonly Member[]): Promise<boolean> {
  const states = await Promise.all(servers.map(({ url }) => clusterInfo(url, 'cluster_state')));
  return states.every((state) => state === 'ok');
}

const field = (text: string, name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1];

const infoOf = async (url: string, section: string, name: string) =>
  field(await withRedis(url, (redis) => redis.info(section)), name);

const clusterInfo = async (url: string, name: string) =>
  field(await withRedis(url, (redis) => redis.cluster('INFO')), name);

/** An answer that cannot be had is a no. */
async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const startedMs = systemClock.nowMs();
  while (!(await condition().catch(() => false))) {
    if (systemClock.nowMs() - startedMs > limitMs) throw new Error(`It did not come about that ${what}.`);
    await pause(50);
  }
}

import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Duplex } from 'node:stream';

import type { ClusterBackends, Role } from '@parley/infra';
import { pause } from '@parley/kit';

/** The servers that nodes are connected to. */
export type ServerName = 'redis' | 'postgres';

/** The network between one node and one server: all their connections pass through it. */
interface Link {
  /** Nothing passes any more, in either direction, not even the end of a connection, until it is healed. */
  cut(): void;
  /** Whatever passes takes so much longer. */
  slow(ms: number): void;
  heal(): void;
  /** Ends all connections at once. */
  reset(): void;
}

/** The network between the nodes of a cluster and its servers. */
export interface Links extends AsyncDisposable {
  /** Variables that connect a node through its links. */
  envOf(role: Role, number: number): NodeJS.ProcessEnv;
  of(node: string, server: ServerName): Link;
  all(server: ServerName): Link[];
  /** The database as nodes find it. */
  readonly databaseUrl: string;
  /**
   * From now on, whoever connects to Postgres comes to this port. Present connections are ended: all at once, or those of
   * one node after the other, with so long in between. Until then, a node goes on where it is.
   */
  movePostgres(port: number, pauseMs?: number): Promise<void>;
}

/** The most nodes of a role that a scenario has. */
const nodesMax = 8;
const roles: readonly Role[] = ['api', 'queue', 'worker'];

export async function createLinks({ databaseUrl, redisUrl }: ClusterBackends): Promise<Links> {
  // A group of Redis servers names its members itself, so nodes are connected to them directly.
  const isGroup = redisUrl.includes(',');
  const targets = {
    redis: new URL(isGroup ? 'redis://127.0.0.1:1' : redisUrl),
    postgres: new URL(databaseUrl),
  };
  const links = new Map<string, Awaited<ReturnType<typeof createLink>>>();
  for (const role of roles) {
    for (let number = 1; number <= nodesMax; number += 1) {
      for (const server of ['redis', 'postgres'] as const) {
        links.set(`${role}-${number} ${server}`, await createLink(() => Number(targets[server].port)));
      }
    }
  }
  const find = (node: string, server: ServerName) => {
    const link = links.get(`${node} ${server}`);
    if (!link) throw new Error(`There is no link between ${node} and ${server}.`);
    return link;
  };
  const all = (server: ServerName) =>
    [...links].flatMap(([name, link]) => (name.endsWith(server) ? [link] : []));
  const through = (server: ServerName, port: number) =>
    Object.assign(new URL(targets[server]), { port }).href;
  return {
    envOf: (role, number) => ({
      DATABASE_URL: through('postgres', find(`${role}-${number}`, 'postgres').port),
      REDIS_URL: isGroup ? redisUrl : through('redis', find(`${role}-${number}`, 'redis').port),
    }),
    of: find,
    all,
    get databaseUrl() {
      return targets.postgres.href;
    },
    async movePostgres(port, pauseMs = 0) {
      const before = targets.postgres.port;
      targets.postgres.port = String(port);
      const postgresLinks = [...links].filter(([name]) => name.endsWith('postgres')).map(([, link]) => link);
      if (pauseMs > 0) for (const link of postgresLinks) link.stayAt(before);
      for (const link of postgresLinks) {
        link.move();
        if (pauseMs > 0 && link.isUsed) await pause(pauseMs);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}

async function createLink(targetPort: () => number) {
  const sockets = new Set<Socket>();
  /** How long what passes takes longer, and the port to which it goes as long as it does not follow the others. */
  const way = { latencyMs: 0, port: null as number | null };
  let healed: PromiseWithResolvers<void> | undefined;
  const passage = async () => {
    if (way.latencyMs > 0) await pause(way.latencyMs);
    await healed?.promise;
  };

  /** Passes on what comes from one end, and then its end. */
  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    const passing = Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await passage();
        yield chunk;
      }
    });
    from.pipe(passing).pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      void passage().then(() => to.destroySoon());
    });
  }

  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: way.port ?? targetPort(), noDelay: true });
    client.setNoDelay();
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((listening) => server.listen({ port: 0, host: '127.0.0.1' }, listening));

  function heal(): void {
    way.latencyMs = 0;
    healed?.resolve();
    healed = undefined;
  }
  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }
  return {
    // Safe: it listens to a port.
    port: (server.address() as AddressInfo).port,
    cut() {
      healed ??= withResolvers();
    },
    slow(ms: number) {
      way.latencyMs = ms;
    },
    heal,
    reset,
    get isUsed() {
      return sockets.size > 0;
    },
    stayAt(port: string) {
      way.port = Number(port);
    },
    move() {
      way.port = null;
      reset();
    },
    async close() {
      heal();
      reset();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface PromiseWithResolvers<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
}

function withResolvers(): PromiseWithResolvers<void> {
  let resolve = () => {};
  const promise = new Promise<void>((resolved) => (resolve = resolved));
  return { promise, resolve };
}

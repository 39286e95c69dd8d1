import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a node and Postgres, and counts how often the node waited for an answer. */
export interface PostgresProxy extends AsyncDisposable {
  url: string;
  /** Round trips since it was last asked, but for those by which a node watches whether Postgres answers. */
  takeRoundTrips(): number;
  /** From now on nothing is passed on, and connections stand. */
  hang(): void;
  resume(): void;
  /** From now on answers are kept, until they are released. Resolves when the first has come. */
  keepAnswers(): Promise<void>;
  releaseAnswers(): void;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  const kept: [Socket, Buffer][] = [];
  const keepers = new Map<Socket, (chunk: Buffer) => void>();
  let [roundTrips, isHanging] = [0, false];

  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    const count = createAnswerCounter(() => {
      roundTrips += 1;
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.once('data', (startup: Buffer) => {
      if (!startup.includes('-watch\0')) upstream.on('data', count);
    });
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    if (isHanging) client.pause();
    else join(pair);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));

  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hang() {
      isHanging = true;
      for (const pair of pairs) part(pair);
    },
    resume() {
      isHanging = false;
      for (const pair of pairs) join(pair);
    },
    async keepAnswers() {
      await new Promise<void>((resolve) => {
        for (const [client, upstream] of pairs) {
          const keep = (chunk: Buffer) => {
            kept.push([client, chunk]);
            resolve();
          };
          upstream.unpipe(client).on('data', keep).resume();
          keepers.set(upstream, keep);
        }
      });
    },
    releaseAnswers() {
      for (const [client, chunk] of kept.splice(0)) client.write(chunk);
      for (const pair of pairs) {
        const keep = keepers.get(pair[1]);
        if (keep) pair[1].off('data', keep);
        join(pair);
      }
      keepers.clear();
    },
    takeRoundTrips() {
      const taken = roundTrips;
      roundTrips = 0;
      return taken;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The fewest round trips of five times: now and then, a node also asks for something by itself meanwhile. */
export async function fewestRoundTrips(
  proxy: PostgresProxy,
  ask: (time: number) => Promise<unknown>,
): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5; time += 1) {
    proxy.takeRoundTrips();
    await ask(time);
    fewest = Math.min(fewest, proxy.takeRoundTrips());
  }
  return fewest;
}

function join([client, upstream]: [Socket, Socket]): void {
  client.pipe(upstream);
  upstream.pipe(client);
}

function part([client, upstream]: [Socket, Socket]): void {
  client.unpipe(upstream).pause();
  upstream.unpipe(client).pause();
}

const headerBytes = 5;

/** Postgres ends every answer with ReadyForQuery: a `Z` in the type byte of a message, whose length follows. */
function createAnswerCounter(onAnswer: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) return;
      if (rest[0] === 'Z'.charCodeAt(0)) onAnswer();
      rest = rest.subarray(length);
    }
  };
}

import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a node and Postgres, and counts how often the node waited for an answer. */
export interface PostgresProxy extends AsyncDisposable {
  url: string;
  /** Round trips since it was last asked, but for those by which a node watches whether Postgres answers. */
  takeRoundTrips(): number;
  /** From now on nothing is passed on, and connections stand. */
  hang(): void;
  resume(): void;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
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

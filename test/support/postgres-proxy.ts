import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a node and Postgres, and counts how often the node waited for an answer. */
export interface PostgresProxy extends AsyncDisposable {
  url: string;
  /** Round trips since it was last asked. */
  takeRoundTrips(): number;
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;

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
    upstream.on('data', count);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));

  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
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

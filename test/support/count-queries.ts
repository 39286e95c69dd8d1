import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * Carries a program's conversation with Postgres, and counts the statements that it runs, what comes back, and how often
 * the program went on when Postgres had answered.
 */
export interface QueryCounter extends AsyncDisposable {
  url: string;
  /** Since it was last asked. */
  take(): { queries: number; bytes: number; turns: number };
  /** How often the program waits at least for what is asked, one after the other: what it asks by itself may come between. */
  fewestTurns(asks: readonly (() => Promise<unknown>)[]): Promise<number>;
}

const executeMessage = 'E'.charCodeAt(0);
const queryMessage = 'Q'.charCodeAt(0);

export async function countQueries(databaseUrl: string): Promise<QueryCounter> {
  const { hostname, port } = new URL(databaseUrl);
  const none = { queries: 0, bytes: 0, turns: 0 };
  let counted = { ...none };
  let isAnswered = true;

  /** Every message but the first is a letter, and a length that counts itself. */
  function createReader(): (chunk: Buffer) => void {
    let isStarted = false;
    let rest = Buffer.alloc(0);
    return (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (rest.length < head + 4) return;
        const length = head + rest.readUInt32BE(head);
        if (rest.length < length) return;
        if (isStarted && (rest[0] === executeMessage || rest[0] === queryMessage)) counted.queries += 1;
        isStarted = true;
        rest = rest.subarray(length);
      }
    };
  }

  // Without noDelay, small answers wait tens of milliseconds for each other.
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    const read = createReader();
    client.on('data', (chunk: Buffer) => {
      read(chunk);
      if (isAnswered) counted.turns += 1;
      isAnswered = false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      counted.bytes += chunk.length;
      isAnswered = true;
      client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const take = () => {
    const taken = counted;
    counted = { ...none };
    return taken;
  };
  return {
    url: url.href,
    take,
    async fewestTurns(asks) {
      let fewest = Number.POSITIVE_INFINITY;
      for (const ask of asks) {
        take();
        await ask();
        fewest = Math.min(fewest, take().turns);
      }
      return fewest;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

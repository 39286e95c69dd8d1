import { Redis as Client } from 'ioredis';

/** Opens a connection, uses it once, and closes it. */
export async function withRedis<Result>(
  url: string,
  use: (redis: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  // The command reports the failure, so the event is ignored.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

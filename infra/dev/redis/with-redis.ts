import { Redis as Client } from 'ioredis';

/** One connection for one thing to do. */
export async function withRedis<Result>(
  url: string,
  use: (redis: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  // The failure is told once, by the command.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

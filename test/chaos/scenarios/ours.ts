import { Redis } from 'ioredis';

/** Returns what can be done to a server that this run has started. */
export function ours<Act>(act: Act | null | undefined): Act {
  if (act) return act;
  throw new Error('This server was given by its URL: start the run without DATABASE_URL and REDIS_URL.');
}

export async function withRedis(url: string, act: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url);
  await act(client);
  client.disconnect();
}

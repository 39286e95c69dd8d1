import { checkReply } from './contract.ts';
import { type Params, type Reply, call, encode } from './http.ts';
import type { Person } from './person.ts';
import { getWorld } from './world.ts';

interface Delivery {
  /** Sent as JSON unless it is a text already. */
  payload: unknown;
  headers?: Record<string, string>;
  /** Beside the API key. */
  query?: Params;
}

/** Sends what another product would send, to the address of an integration that has the bot's API key in it. */
export async function deliver(
  { apiKey, realm }: Pick<Person, 'apiKey' | 'realm'>,
  integration: string,
  { payload, headers = {}, query = {} }: Delivery,
): Promise<Reply> {
  const { ports } = await getWorld();
  const path = `/external/${integration}`;
  const reply = await call({
    port: ports.api,
    method: 'POST',
    path: `/api/v1${path}?${encode({ api_key: apiKey, ...query })}`,
    headers: { Host: realm.host, 'Content-Type': 'application/json', ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  checkReply({ method: 'POST', path, isForQueueNode: false }, reply);
  return reply;
}

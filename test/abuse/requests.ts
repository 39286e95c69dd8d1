import { Agent, type Dispatcher, request } from 'undici';

import type { Member } from '../chaos/chaos-realm.ts';

const timeouts = { headersTimeout: 100_000, bodyTimeout: 100_000 };
const othersAgent = new Agent({ connections: null, pipelining: 1, ...timeouts });
/** The connections of an attacker, who comes from an address of their own, as they would from outside. */
export const createAttackerAgent = (localAddress: string) =>
  new Agent({ connections: 64, pipelining: 1, localAddress, ...timeouts });

export interface Ask {
  baseUrl: string;
  as: Pick<Member, 'authorization'> | null;
  method?: Dispatcher.HttpMethod;
  path: string;
  /** Fields of a form, or of the query of a GET. */
  fields?: Record<string, unknown>;
  /** A body of another kind. */
  body?: { type: string; content: Buffer | string };
  agent?: Agent;
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  ms: number;
  text: string;
}

/** One request. The status is 0 where the connection failed. */
export async function ask(options: Ask): Promise<Answered> {
  const { baseUrl, as, method = 'POST', path, fields = {}, body, agent = othersAgent, signal } = options;
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  const isGet = method === 'GET';
  const startedMs = performance.now();
  try {
    const reply = await request(`${baseUrl}${path}${isGet && form !== '' ? `?${form}` : ''}`, {
      dispatcher: agent,
      method,
      headers: {
        host: 'localhost',
        ...(as && { authorization: as.authorization }),
        ...(!isGet && { 'content-type': body?.type ?? 'application/x-www-form-urlencoded' }),
      },
      ...(!isGet && { body: body?.content ?? form }),
      ...(signal && { signal }),
    });
    const text = await reply.body.text();
    return { status: reply.statusCode, ms: performance.now() - startedMs, text };
  } catch {
    return { status: 0, ms: performance.now() - startedMs, text: '' };
  }
}

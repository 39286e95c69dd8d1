import { Agent, type Dispatcher, request } from 'undici';

const answerMsMax = 100_000;

/** The connections of an attacker, who comes from an address of their own, as they would from outside. */
export const createAttackerAgent = (localAddress: string) =>
  new Agent({
    connections: 64,
    pipelining: 1,
    localAddress,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
  });

export interface Request {
  as: { authorization: string } | null;
  /** Another organization than the one that is attacked by default. */
  host?: string;
  method?: Dispatcher.HttpMethod;
  path: string;
  /** Fields of a form, or of the query of a GET. */
  fields?: Record<string, unknown>;
  /** A body of another kind. */
  body?: { type: string; content: Buffer | string };
}

/** Where and how requests are made. */
export interface Place {
  baseUrl: string;
  host: string;
  agent: Agent;
  signal: AbortSignal;
}

/** Makes one request. Resolves with its status, which is 0 where the connection failed. */
export async function ask(
  { baseUrl, host: ownHost, agent, signal }: Place,
  { as, host = ownHost, method = 'POST', path, fields = {}, body }: Request,
): Promise<number> {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  const isGet = method === 'GET';
  try {
    const reply = await request(`${baseUrl}${path}${isGet && form !== '' ? `?${form}` : ''}`, {
      dispatcher: agent,
      method,
      headers: {
        host,
        ...(as && { authorization: as.authorization }),
        ...(!isGet && { 'content-type': body?.type ?? 'application/x-www-form-urlencoded' }),
      },
      ...(!isGet && { body: body?.content ?? form }),
      signal,
    });
    await reply.body.text();
    return reply.statusCode;
  } catch {
    return 0;
  }
}

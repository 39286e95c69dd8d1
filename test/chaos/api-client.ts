import { Agent, request } from 'undici';

const agent = new Agent({
  connections: null,
  pipelining: 1,
  headersTimeout: 100_000,
  bodyTimeout: 100_000,
  // The addresses of organizations are names that no resolver knows.
  connect: {
    lookup: (_, { all }, found) => (all ? found(null, [loopback]) : found(null, loopback.address, 4)),
  },
});
const loopback = { address: '127.0.0.1', family: 4 };

export interface Answer {
  status: number;
  /** The header of that name. */
  retryAfter?: string;
  body: Record<string, unknown>;
}

/** Returns the address of an organization of a cluster that is not at the bare host. */
export const addressOf = (baseUrl: string, name: string): string =>
  Object.assign(new URL(baseUrl), { hostname: `${name}.localhost` }).origin;

/** One request of one user. Rejects when the connection fails; answers whatever the server says. */
export async function call(
  baseUrl: string,
  authorization: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  fields: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const form = new URLSearchParams(fields).toString();
  const isGet = method === 'GET';
  const { hostname } = new URL(baseUrl);
  const { statusCode, headers, body } = await request(`${baseUrl}/api/v1${path}${isGet ? `?${form}` : ''}`, {
    dispatcher: agent,
    method,
    headers: {
      authorization,
      host: hostname.endsWith('.localhost') ? hostname : 'localhost',
      ...(!isGet && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(!isGet && { body: form }),
    ...(signal && { signal }),
  });
  const text = await body.text();
  const retryAfter = headers['retry-after'];
  return {
    status: statusCode,
    body: parse(text),
    ...(typeof retryAfter === 'string' && { retryAfter }),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return { code: 'NOT_JSON', msg: text.slice(0, 200) };
  }
}

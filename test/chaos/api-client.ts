import { Agent, request } from 'undici';

const agent = new Agent({ connections: null, pipelining: 1, headersTimeout: 100_000, bodyTimeout: 100_000 });

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

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
  const { statusCode, body } = await request(`${baseUrl}/api/v1${path}${isGet ? `?${form}` : ''}`, {
    dispatcher: agent,
    method,
    headers: {
      authorization,
      host: 'localhost',
      ...(!isGet && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(!isGet && { body: form }),
    ...(signal && { signal }),
  });
  const text = await body.text();
  return { status: statusCode, body: parse(text) };
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return { code: 'NOT_JSON', msg: text.slice(0, 200) };
  }
}

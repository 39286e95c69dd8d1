import { RequestFailed } from './errors.ts';

/**
 * The body of a reply.
 * @throws RequestFailed unless it is a success
 */
export function read(status: number, retryAfter: string | null, text: string): unknown {
  const body = parse(text);
  if (status < 400 && body !== undefined) return body;
  const seconds = Number(body?.['retry-after'] ?? retryAfter ?? Number.NaN);
  throw new RequestFailed(status, body ?? {}, Number.isFinite(seconds) ? seconds * 1000 : null);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

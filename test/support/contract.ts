import { type JsonEndpoint, endpoints, errorsOf } from '@parley/api';
import { errorStatus, sentEvents } from '@parley/protocol';
import { expect } from 'vitest';
import { z } from 'zod';

import type { Reply } from './http.ts';

const envelope = {
  result: z.literal('success'),
  msg: z.literal(''),
  ignored_parameters_unsupported: z.array(z.string()).min(1).optional(),
};

interface Served {
  endpoint: JsonEndpoint;
  pattern: RegExp;
  body: z.ZodType;
}

/** What the API's document is about: what programs ask below /api/v1 for JSON. */
export const jsonEndpoints = endpoints.filter(
  (endpoint): endpoint is JsonEndpoint => endpoint.kind === 'json' && endpoint.auth !== 'session',
);

const served = jsonEndpoints.map((endpoint): Served => {
  // The state that POST /register answers with is as wide as was asked for; its own test reads it.
  const object = endpoint.path === '/register' ? z.looseObject : z.strictObject;
  return {
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, endpoint.hasSlashes ? '.+' : '[^/]+')}$`),
    body: object({ ...envelope, ...endpoint.returns }),
  };
});

/** The endpoint that serves a path below /api/v1. */
export const endpointAt = (method: string, path: string): JsonEndpoint | undefined =>
  served.find((one) => one.endpoint.method === method && one.pattern.test(path))?.endpoint;

const formsOf = new Map<string, z.ZodObject[]>();
for (const form of sentEvents) {
  const { type, op } = form.shape;
  const key = [type, op].map((schema) => (schema instanceof z.ZodLiteral ? schema.value : '')).join(' ');
  formsOf.set(key, [...(formsOf.get(key) ?? []), form]);
}

/** An event has one of the forms that the API's document has for its type and op. */
function checkEvent(event: { type: string; op?: unknown }, context: z.core.$RefinementCtx): void {
  const forms = formsOf.get(`${event.type} ${typeof event.op === 'string' ? event.op : ''}`) ?? [];
  const parsed = forms.map((form) => form.safeParse(event));
  if (parsed.some(({ success }) => success)) return;
  const message = `${JSON.stringify(event)}: ${parsed.map(({ error }) => error?.message).join(' ') || 'unknown'}`;
  context.addIssue({ code: 'custom', message });
}

const fromQueueNode = z.strictObject({
  ...envelope,
  events: z.array(z.looseObject({ id: z.int(), type: z.string() }).superRefine(checkEvent)),
  queue_id: z.string(),
});
const ended = z.strictObject(envelope);

const statuses: Readonly<Record<string, number>> = errorStatus;

/**
 * Whether a reply with an error code may have a status: a bad request may be one for an object that does not exist, and
 * an organization that is no longer at an address may be at another.
 */
export const isStatusOf = (code: string, status: number): boolean =>
  statuses[code] === status ||
  (code === 'BAD_REQUEST' && status === 404) ||
  (code === 'NONEXISTENT_SUBDOMAIN' && status === 308);

export interface Exchange {
  method: string;
  /** Below /api/v1, without the query. */
  path: string;
  isForQueueNode: boolean;
}

/** What the contract says of every reply, whatever the test at hand is about. */
export function checkReply({ method, path: asked, isForQueueNode }: Exchange, reply: Reply): void {
  const [path = ''] = asked.split('?');
  const { status, headers, body, text } = reply;
  const what = `${method} ${path} answered ${status}: ${text.slice(0, 500)}`;
  expect(headers['content-type'], what).toBe('application/json');
  expect(headers['cache-control'], what).toContain('no-store');
  expect(headers['x-content-type-options'], what).toBe('nosniff');
  const match = served.find((one) => one.endpoint.method === method && one.pattern.test(path));
  if (status !== 200 && !(status === 302 && match?.endpoint.redirects)) {
    checkError(what, reply);
    if (match && !isForQueueNode && status !== 405) {
      expect(errorsOf(match.endpoint), `${what}, which the endpoint does not declare`).toContain(body.code);
    }
    return;
  }
  const shape = !isForQueueNode ? match?.body : method === 'GET' ? fromQueueNode : ended;
  const parsed = shape?.safeParse(body);
  expect(parsed?.error?.issues ?? [], what).toEqual([]);
}

function checkError(what: string, { status, headers, body }: Reply): void {
  expect(body, what).toMatchObject({ result: 'error', msg: expect.stringMatching(/./) });
  if (status === 405) {
    expect(body, what).toEqual({
      result: 'error',
      msg: 'This address does not accept this method.',
      code: 'BAD_REQUEST',
      allowed_methods: expect.any(Array),
    });
    return;
  }
  expect(body.code, what).toEqual(expect.any(String));
  expect(isStatusOf(body.code, status), what).toBe(true);
  if (status === 401) expect(headers['www-authenticate'], what).toMatch(/^Basic /);
  if (status === 429) {
    expect(Number(headers['retry-after']), what).toBeGreaterThan(0);
    expect(headers['x-ratelimit-remaining'], what).toBe('0');
    expect(Number(headers['x-ratelimit-limit']), what).toBeGreaterThan(0);
    expect(Number(headers['x-ratelimit-reset']), what).toBeGreaterThan(0);
  }
}

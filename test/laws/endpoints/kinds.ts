import { type Endpoint, errorsOf } from '@parley/api';
import { type ErrorCode, errorStatus } from '@parley/protocol';
import { expect } from 'vitest';

import { type Reply, isStatusOf } from '../../support/index.ts';

/** What an endpoint of a kind promises of every reply, whatever was sent: a documented one, and never a bug. */
export function checkDocumented(endpoint: Endpoint, reply: Reply): void {
  expect(reply.status, reply.text).toBeLessThan(500);
  if (endpoint.kind === 'page') return checkPage(endpoint, reply);
  if (endpoint.kind === 'bytes') return checkBytes(endpoint, reply);
  if (endpoint.kind === 'tus' && (reply.status < 400 || endpoint.method === 'HEAD')) return checkStep(reply);
  checkJson(endpoint, reply);
}

/** JSON that no cache keeps. A refusal has a code that the endpoint declares. */
function checkJson(endpoint: Endpoint, { status, headers, body, text }: Reply): void {
  expect(headers['content-type'], text).toBe('application/json');
  expect(headers['cache-control'], text).toContain('no-store');
  expect(headers['x-content-type-options'], text).toBe('nosniff');
  if (status < 400) return expect(body).toMatchObject({ result: 'success', msg: expect.any(String) });
  expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) });
  expect(isStatusOf(body.code, status), text).toBe(true);
  expect(errorsOf(endpoint), text).toContain(body.code);
}

/**
 * A page runs no script of others and is shown in no other; where one is sent on, no cache remembers it. Programs that
 * accept JSON are refused in JSON.
 */
function checkPage(endpoint: Endpoint, reply: Reply): void {
  const { status, headers, text } = reply;
  if (headers['content-type'] === 'application/json') return checkJson(endpoint, reply);
  expect(headers['cache-control'], text).toMatch(/no-store|no-cache/);
  if (status === 302) return expect(headers['location']).toMatch(/^(?:https?|zulip):/);
  expect(headers['content-type'], text).toBe('text/html; charset=utf-8');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('no-referrer');
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    expect(headers['content-security-policy']).toContain(rule);
  }
  if (status >= 400) expect(statusesOf(endpoint), text).toContain(status);
}

/** What is sent says how long it may be kept, and is taken for nothing else than it is. A refusal is plain text. */
function checkBytes(endpoint: Endpoint, reply: Reply): void {
  const { status, headers, text } = reply;
  // Where there is nothing, it is as at any other address.
  if (status === 404 && headers['content-type'] === 'application/json') return checkJson(endpoint, reply);
  if (status === 429) return checkJson(endpoint, reply);
  expect(headers['cache-control'], text).toMatch(/no-store|no-cache|max-age=\d+/);
  if (status === 302) return expect(headers['location']).toMatch(/^(?:\/|https:)/);
  expect(headers['x-content-type-options'], text).toBe('nosniff');
  if (status < 400) return expect(headers['content-type']).toMatch(/^\w+\/[\w.+-]+(?:; charset=utf-8)?$/);
  expect(headers['content-type'], text).toBe('text/plain; charset=utf-8');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(text).toMatch(/^.+\n$/);
  // No code says that somebody may not read a file.
  expect([...statusesOf(endpoint), 403], text).toContain(status);
}

/** A step of an upload says which protocol it follows. */
function checkStep({ headers, status, text }: Reply): void {
  expect(headers['cache-control'], text).toContain('no-store');
  if (status < 400) expect(headers['tus-resumable']).toBe('1.0.0');
}

const statusesOf = (endpoint: Endpoint) => errorsOf(endpoint).map((code: ErrorCode) => errorStatus[code]);

/** What is said of a refusal, to whoever asks as a program: its code, or its status where there is no room for one. */
export const refusalOf = ({ status, body }: Reply): string | undefined =>
  body?.code ?? (status >= 400 ? String(status) : undefined);

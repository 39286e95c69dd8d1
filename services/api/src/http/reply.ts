import { isDatabaseUnavailable } from '@parley/db';
import { errorReply, jsonHeaders } from '@parley/http';
import * as model from '@parley/model';
import { notReady } from '@parley/protocol';

import type { BugLog } from './observe-requests.ts';

export const replyHeaders = Object.fromEntries(
  jsonHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, jsonHeaders[index + 1] ?? '']] : [])),
);

/** A reply of the API: JSON that no cache may keep. */
export const reply = (body: object, status: number, headers?: Record<string, string>): Response =>
  replyWith(textOf(body), status, headers);

export const textOf = (body: object): string => `${JSON.stringify(body)}\n`;

export const replyWith = (text: string, status: number, headers: Record<string, string> = {}): Response =>
  new Response(text, { status, headers: Object.assign({}, replyHeaders, headers) });

/** The reply to an error, with its `challenge` if it is a 401. The details of a bug go to the log and not into the reply. */
export function refuse(
  error: unknown,
  logger: BugLog,
  headers: Record<string, string> = {},
  challenge: Readonly<Record<string, string>> = {},
): Response {
  const {
    status,
    headers: errorHeaders,
    body,
    isBug,
  } = errorReply(
    error instanceof model.users.ActorChanged ? notReady('conflicts') : error,
    isDatabaseUnavailable,
  );
  if (isBug) logger.error({ err: error }, 'request failed');
  return reply(body, status, { ...headers, ...errorHeaders, ...(status === 401 && challenge) });
}

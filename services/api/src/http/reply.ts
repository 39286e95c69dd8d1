import { isDatabaseUnavailable } from '@parley/db';
import { errorReply, jsonHeaders } from '@parley/http';
import * as model from '@parley/model';
import { notReady } from '@parley/protocol';

import type { BugLog } from './observe-requests.ts';

export const replyHeaders = Object.fromEntries(
  jsonHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, jsonHeaders[index + 1] ?? '']] : [])),
);

/** Returns a reply of the API: JSON that no cache may keep. */
export const reply = (body: object, status: number, headers?: Record<string, string>): Response =>
  replyWith(textOf(body), status, headers);

/** Returns the text of a reply, whose JSON `toJson` writes. */
export const textOf = (body: object, toJson: (value: object) => string = JSON.stringify): string =>
  `${toJson(body)}\n`;

export const replyWith = (text: string, status: number, headers: Record<string, string> = {}): Response =>
  new Response(text, { status, headers: Object.assign({}, replyHeaders, headers) });

interface RefusalOptions {
  /** Headers of a 401. */
  challenge?: Readonly<Record<string, string>>;
  /** What is said beside the fields of the API. */
  readonly besides?: (code: string) => object;
}

/** Returns the reply to an error, with its `challenge` if it is a 401. */
export function refuse(
  error: unknown,
  bugs: BugLog,
  headers: Record<string, string> = {},
  { challenge = {}, besides = () => ({}) }: RefusalOptions = {},
): Response {
  const { status, headers: errorHeaders, body } = describeError(error, bugs);
  const said = { ...body, ...besides(body.code) };
  return reply(said, status, { ...headers, ...errorHeaders, ...(status === 401 && challenge) });
}

/** Returns what is said of an error. The details of a bug go to the log and not into the reply. */
export function describeError(error: unknown, bugs: BugLog): ReturnType<typeof errorReply> {
  const described = errorReply(
    error instanceof model.users.ActorChanged ? notReady('conflicts') : error,
    isDatabaseUnavailable,
  );
  if (described.isBug) bugs.error({ err: error }, 'request failed');
  return described;
}

/** Answers with plain text, which people read in a browser. */
export function sendText(
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(`${text}\n`, { status, headers: { ...headers, ...more } });
}

/** Returns the reply to an error as plain text; as JSON where programs read when they may ask again. */
export function refuseAsText(error: unknown, bugs: BugLog, more: Readonly<Record<string, string>>): Response {
  const { status, headers, body } = describeError(error, bugs);
  if (status === 429) return reply(body, status, { ...more, ...headers });
  return sendText(status, body.msg, { ...headers, ...more });
}

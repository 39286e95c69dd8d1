import type { ServerResponse } from 'node:http';

import { internalError, jsonHeaders } from '@parley/http';
import { isDatabaseAway } from '@parley/log';
import { ApiError, notReady } from '@parley/protocol';

const before = Buffer.from('{"result":"success","msg":"","events":[');
const comma = 0x2c;

/** Answers a poll. The events come as finished JSON; only what stands around them is made here. */
export function sendEvents(
  res: ServerResponse,
  queueId: string,
  lines: readonly Buffer[],
  ignored: readonly string[],
): void {
  const unsupported =
    ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : '';
  const after = `],"queue_id":${JSON.stringify(queueId)}${unsupported}}`;
  const afterLength = Buffer.byteLength(after);
  let length = before.length + Math.max(0, lines.length - 1) + afterLength;
  for (const line of lines) length += line.length;
  const body = Buffer.allocUnsafe(length);
  let at = before.copy(body);
  for (const line of lines) {
    if (at > before.length) body[at++] = comma;
    at += line.copy(body, at);
  }
  body.write(after, at);
  send(res, 200, jsonHeaders, body);
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  send(res, status, [...jsonHeaders, ...Object.entries(headers).flat()], Buffer.from(JSON.stringify(body)));
}

function send(res: ServerResponse, status: number, headers: readonly string[], body: Buffer): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, [...headers, 'Content-Length', String(body.length)]);
  res.end(body);
}

/** Turns whatever was thrown into a documented error. Returns what is to be logged as a bug, if it is one. */
export function sendError(res: ServerResponse, error: unknown): { status: number; bug?: unknown } {
  const refusal = isDatabaseAway(error) ? notReady() : error;
  if (refusal instanceof ApiError) {
    sendJson(res, refusal.status, refusal.body(), refusal.headers);
    return { status: refusal.status };
  }
  sendJson(res, 500, internalError);
  return { status: 500, bug: error };
}

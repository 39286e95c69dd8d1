import type { ServerResponse } from 'node:http';

import { internalError, jsonHeaders } from '@parley/http';
import { isDatabaseAway } from '@parley/log';
import { ApiError, notReady } from '@parley/protocol';

import { type WireText, toWire } from '../core/wire-text.ts';

const before = '{"result":"success","msg":"","events":[';

/** Answers a poll. The events come as finished JSON; only what stands around them is made here. */
export function sendEvents(
  res: ServerResponse,
  queueId: string,
  lines: readonly WireText[],
  ignored: readonly string[],
): void {
  const unsupported =
    ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : '';
  const after = toWire(`],"queue_id":${JSON.stringify(queueId)}${unsupported}}`);
  send(res, 200, jsonHeaders, before + (lines.length === 1 ? lines[0] : lines.join()) + after);
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  send(res, status, [...jsonHeaders, ...Object.entries(headers).flat()], toWire(JSON.stringify(body)));
}

function send(res: ServerResponse, status: number, headers: readonly string[], body: WireText): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, [...headers, 'Content-Length', String(body.length)]);
  res.end(body, 'latin1');
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

import { jsonHeaders, requestIdHeader, requestIdOf } from '@parley/http';

import { type WireText, toWire } from '../core/wire-text.ts';
import type { PollResponse } from './poll-response.ts';

export function sendJson(
  response: PollResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const raw = [...jsonHeaders, ...Object.entries(headers).flat()];
  sendWireText(response, status, raw, toWire(JSON.stringify(body)));
}

/** Sends headers and body in one piece. A response that was closed or answered already is left alone. */
export function sendWireText(
  response: PollResponse,
  status: number,
  headers: readonly string[],
  body: WireText,
): void {
  if (response.destroyed || response.headersSent) return;
  response.requestId = requestIdOf(response.req.headers['x-request-id']);
  response.writeHead(status, [
    ...headers,
    requestIdHeader,
    response.requestId,
    'Content-Length',
    String(body.length),
  ]);
  response.end(body, 'latin1');
}

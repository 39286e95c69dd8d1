import type { ServerResponse } from 'node:http';

import { jsonHeaders } from '@parley/http';

import { type WireText, toWire } from '../core/wire-text.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const raw = [...jsonHeaders, ...Object.entries(headers).flat()];
  sendWireText(response, status, raw, toWire(JSON.stringify(body)));
}

/** Sends headers and body in one piece. A response that was closed or answered already is left alone. */
export function sendWireText(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: WireText,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, [...headers, 'Content-Length', String(body.length)]);
  response.end(body, 'latin1');
}

import { toWire } from '../core/wire-text.ts';
import type { Exchange } from './exchange.ts';
import { headerLines } from './reply-head.ts';

export function sendJson(
  exchange: Exchange,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.send(status, headerLines(headers), toWire(JSON.stringify(body)));
}

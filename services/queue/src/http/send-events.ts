import { type WireText, toWire } from '../core/wire-text.ts';
import type { Exchange } from './exchange.ts';
import { jsonHeaderLines } from './reply-head.ts';

const start = '{"result":"success","msg":"","events":[';

/** Sends the answer to a poll. The events are finished JSON: only the envelope around them is made here. */
export function sendEvents(
  exchange: Exchange,
  queueId: string,
  lines: readonly WireText[],
  /** Whole lines, beside those of every reply. */
  headers: string,
): void {
  const { ignored } = exchange;
  const unsupported =
    ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : '';
  const end = toWire(`],"queue_id":${JSON.stringify(queueId)}${unsupported}}`);
  exchange.send(200, jsonHeaderLines + headers, start + (lines.length === 1 ? lines[0] : lines.join()) + end);
}

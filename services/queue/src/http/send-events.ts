import { type WireText, toWire } from '../core/wire-text.ts';
import type { Exchange } from './exchange.ts';

const start = '{"result":"success","msg":"","events":[';

/** Sends the answer to a poll. The events are finished JSON: only the envelope around them is made here. */
export function sendEvents(
  exchange: Exchange,
  queueId: string,
  lines: readonly WireText[],
  /** Whole lines, beside those of every reply. */
  headers: string,
): void {
  const { ignored } = exchange.request;
  const unsupported =
    ignored.length > 0 ? toWire(`,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`) : '';
  const events = lines.length === 1 ? lines[0] : lines.join();
  exchange.send(200, headers, `${start}${events}],"queue_id":"${queueId}"${unsupported}}`);
}

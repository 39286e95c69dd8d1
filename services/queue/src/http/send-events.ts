import { jsonHeaders } from '@parley/http';

import { type WireText, toWire } from '../core/wire-text.ts';
import type { PollResponse } from './poll-response.ts';
import { sendWireText } from './send-json.ts';

const start = '{"result":"success","msg":"","events":[';

/** Sends the answer to a poll. The events are finished JSON: only the envelope around them is made here. */
export function sendEvents(
  response: PollResponse,
  queueId: string,
  lines: readonly WireText[],
  { ignored, headers }: { ignored: readonly string[]; headers: Readonly<Record<string, string>> },
): void {
  const unsupported =
    ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : '';
  const end = toWire(`],"queue_id":${JSON.stringify(queueId)}${unsupported}}`);
  const raw = [...jsonHeaders, ...Object.entries(headers).flat()];
  sendWireText(response, 200, raw, start + (lines.length === 1 ? lines[0] : lines.join()) + end);
}

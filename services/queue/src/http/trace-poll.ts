import { currentTracing } from '@parley/telemetry';

import type { Queue } from '../core/queue.ts';
import type { WireText } from '../core/wire-text.ts';
import type { Exchange } from './exchange.ts';

const idAtEnd = /"id":(\d+)\}$/;

/** Records that a poll is answered with entries of traced changes, if traces are made. */
export function tracePoll(
  { requestId, startedMs }: Exchange,
  { realmId, userId, ids }: Queue,
  lines: readonly WireText[],
  nowMs: number,
): void {
  const tracing = currentTracing();
  if (!tracing) return;
  for (const line of lines) {
    const seq = ids.seqOf(Number(idAtEnd.exec(line)?.[1]));
    const attributes = {
      'parley.request_id': requestId,
      'parley.user': userId,
      'parley.waited_ms': nowMs - startedMs,
    };
    tracing.delivered({ realmId, seq }, attributes);
  }
}

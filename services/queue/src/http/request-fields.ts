import type { Exchange } from './exchange.ts';

/**
 * Returns the fields of a line of log about a request. What stands in its address otherwise is not logged: it may be
 * secret.
 */
export const requestFields = (
  { head: { method, url }, request: { queueId }, poll: { lastEventId }, requestId, startedMs }: Exchange,
  nowMs: number,
) => ({
  request_id: requestId,
  method,
  path: url.split('?', 1)[0],
  ...(queueId !== '' && { queue: queueId, last_event_id: lastEventId }),
  ms: startedMs > 0 ? nowMs - startedMs : undefined,
});

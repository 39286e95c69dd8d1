import type { PollResponse } from './poll-response.ts';

/** The fields of a line of log about a request. What stands in its address otherwise is not logged: it may be secret. */
export const requestFields = (
  { req, requestId, queueId, lastEventId, startedMs }: PollResponse,
  nowMs: number,
) => ({
  request_id: requestId,
  method: req.method,
  path: req.url?.split('?', 1)[0],
  ...(queueId !== '' && { queue: queueId, last_event_id: lastEventId }),
  ms: startedMs > 0 ? nowMs - startedMs : undefined,
});

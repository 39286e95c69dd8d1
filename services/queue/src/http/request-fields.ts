import type { PollResponse } from './poll-response.ts';

/** The fields of a line of log about a request. Only requests that were slow or went wrong are logged. */
export const requestFields = ({ req, startedMs }: PollResponse, nowMs: number) => ({
  method: req.method,
  url: req.url,
  ms: startedMs > 0 ? nowMs - startedMs : undefined,
});

import { ApiError, notReady } from '@parley/protocol';
import { counter } from '@parley/telemetry';

const refusals = counter(
  'parley_refusals_total',
  'Requests refused because a caller sends too many (429) or the server is not ready (503)',
  ['status', 'reason'],
);

export interface ErrorReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { result: string; msg: string; code: string };
  /** The error is no refusal but a bug: its details belong into the log, and are not in the body. */
  isBug: boolean;
}

/**
 * Returns the documented reply to whatever was thrown: an ApiError says its own; an error by which a store is away, as
 * `isStoreAway` tells, is SERVER_NOT_READY; anything else is a 500 without detail.
 */
export function errorReply(error: unknown, isStoreAway: (error: unknown) => boolean): ErrorReply {
  if (error instanceof ApiError) return replyOf(error);
  if (isStoreAway(error)) return replyOf(notReady('database'));
  const body = {
    result: 'error',
    msg: 'Something went wrong on the server. Please try again.',
    code: 'INTERNAL_SERVER_ERROR',
  };
  return { status: 500, headers: {}, body, isBug: true };
}

function replyOf(refusal: ApiError): ErrorReply {
  const { status, headers } = refusal;
  if (status === 429) refusals.inc({ status, reason: 'rate_limit' });
  if (status === 503)
    refusals.inc({ status, reason: 'reason' in refusal ? String(refusal.reason) : 'other' });
  return { status, headers, body: refusal.body(), isBug: false };
}

import { ApiError, notReady } from '@parley/protocol';

export interface ErrorReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { result: string; msg: string; code: string };
  /** The error is no refusal but a bug: its details belong into the log, and are not in the body. */
  isBug: boolean;
}

/**
 * The documented reply to whatever was thrown: an ApiError says its own; an error by which a store is away, as
 * `isStoreAway` tells, is SERVER_NOT_READY; anything else is a 500 without detail.
 */
export function errorReply(error: unknown, isStoreAway: (error: unknown) => boolean): ErrorReply {
  if (error instanceof ApiError) return replyOf(error);
  if (isStoreAway(error)) return replyOf(notReady());
  const body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' };
  return { status: 500, headers: {}, body, isBug: true };
}

const replyOf = (refusal: ApiError): ErrorReply => ({
  status: refusal.status,
  headers: refusal.headers,
  body: refusal.body(),
  isBug: false,
});

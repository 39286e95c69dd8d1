import { ApiError } from '@parley/protocol';

/**
 * Returns when something is to be sent later.
 *
 * @throws BAD_REQUEST for a time that is not in the future
 */
export function parseDueTime(seconds: number, nowMs: number): Date {
  const dueMs = seconds * 1000;
  if (dueMs <= nowMs) {
    throw new ApiError('BAD_REQUEST', 'Choose a time in the future.');
  }
  return new Date(dueMs);
}

import { type BasicCredentials, type PresentedSession, isAcceptedKey } from '@parley/http';
import { ApiError } from '@parley/protocol';

import { badQueueId } from '../core/bad-queue-id.ts';
import type { Queue } from '../core/queue.ts';

/** The owner's credentials, which requests for a queue must carry. They hold until an entry of the log revokes them. */
export interface QueueCredentials {
  email: string;
  apiKeys: readonly string[];
  isGuest: boolean;
  /** The present name of the owner's realm. */
  realm: string;
  /** When each session in a browser ends, by the hash of its token. */
  sessions: ReadonlyMap<string, number>;
  /** The refusal of every request, for an account that is deactivated. */
  refusal: ApiError | null;
  /** How often the user's credentials had been revoked when these were looked up. */
  revocationCount: number;
}

/**
 * Refuses everybody but the queue's owner. For other users the queue does not exist, and for nobody once the realm has
 * another address.
 * @throws BAD_EVENT_QUEUE_ID, UNAUTHORIZED; UNAUTHENTICATED_USER for a session that has ended
 */
export function checkCredentials(
  queue: Queue,
  credentials: QueueCredentials,
  presented: BasicCredentials | PresentedSession,
  realm: string | null,
  nowMs: number,
): void {
  if ('token' in presented) assertSession(queue, credentials, presented, nowMs);
  else assertKey(queue, credentials, presented);
  if (credentials.refusal) throw credentials.refusal;
  if (credentials.realm !== queue.realm) throw badQueueId(queue.id);
  if (realm !== queue.realm) {
    throw new ApiError('UNAUTHORIZED', 'This account belongs to another organization.');
  }
}

/**
 * Returns whether a header equals the one that was verified before. It compares every character, wherever the two
 * differ, so that the time tells nothing; crypto.timingSafeEqual would need two buffers of their own at every poll.
 */
export function isVerifiedHeader(
  { verifiedHeader }: { verifiedHeader: string | null },
  header: string | undefined,
): boolean {
  if (verifiedHeader === null || header?.length !== verifiedHeader.length) return false;
  const bytes = verified.write(verifiedHeader, 'latin1');
  if (bytes < header.length || presented.write(header, 'latin1') !== bytes) return false;
  let difference = 0;
  for (let index = 0; index < bytes; index += 1) {
    // Safe: both hold as many bytes.
    difference |= (verified[index] as number) ^ (presented[index] as number);
  }
  return difference === 0;
}

/** The two headers that are compared. One that does not fit is verified each time. */
const verified = Buffer.alloc(4096);
const presented = Buffer.alloc(4096);

function assertKey(queue: Queue, { email, apiKeys }: QueueCredentials, presented: BasicCredentials): void {
  if (presented.email.toLowerCase() !== email) throw badQueueId(queue.id);
  if (!isAcceptedKey(apiKeys, presented.apiKey))
    throw new ApiError('UNAUTHORIZED', 'This API key is not valid.');
}

function assertSession(
  queue: Queue,
  { sessions }: QueueCredentials,
  { userId, tokenHash }: PresentedSession,
  nowMs: number,
): void {
  if (userId !== queue.userId) throw badQueueId(queue.id);
  if ((sessions.get(tokenHash) ?? 0) <= nowMs) {
    throw new ApiError('UNAUTHENTICATED_USER', 'Your session has ended. Log in again.');
  }
}

import { type BasicCredentials, sameKey } from '@parley/http';
import { ApiError } from '@parley/protocol';

import type { Queue } from '../core/queue.ts';
import { badQueueId } from './bad-queue-id.ts';

/** The owner's credentials, which requests for a queue must carry. They hold until an entry of the log revokes them. */
export interface QueueCredentials {
  email: string;
  apiKey: string;
  isGuest: boolean;
  /** The present name of the owner's realm. */
  realm: string;
  /** The refusal of every request, for an account that is deactivated. */
  refusal: ApiError | null;
  /** How often the user's credentials had been revoked when these were looked up. */
  revocationCount: number;
}

/**
 * Refuses everybody but the queue's owner. For other users the queue does not exist, and for nobody once the realm has
 * another address.
 * @throws BAD_EVENT_QUEUE_ID, UNAUTHORIZED
 */
export function checkCredentials(
  queue: Queue,
  credentials: QueueCredentials,
  presented: BasicCredentials,
  realm: string | null,
): void {
  if (presented.email.toLowerCase() !== credentials.email) throw badQueueId(queue.id);
  if (!sameKey(presented.apiKey, credentials.apiKey)) throw new ApiError('UNAUTHORIZED', 'Invalid API key');
  if (credentials.refusal) throw credentials.refusal;
  if (credentials.realm !== queue.realm) throw badQueueId(queue.id);
  if (realm !== queue.realm) {
    throw new ApiError('UNAUTHORIZED', 'Account is not associated with this subdomain');
  }
}

/**
 * Whether a header equals the one that was verified before. It compares every character, wherever the two differ, so that
 * the time tells nothing; crypto.timingSafeEqual would need two buffers at every poll.
 */
export function isVerifiedHeader(
  { verifiedHeader }: { verifiedHeader: string | null },
  header: string | undefined,
): boolean {
  if (verifiedHeader === null || header?.length !== verifiedHeader.length) return false;
  let difference = 0;
  for (let index = 0; index < verifiedHeader.length; index += 1) {
    difference |= verifiedHeader.charCodeAt(index) ^ header.charCodeAt(index);
  }
  return difference === 0;
}

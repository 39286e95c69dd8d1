import { deriveApiKey, sameKey } from '@parley/http';
import type { BasicCredentials } from '@parley/http';
import { type Credentials, type Sql, findCredentials } from '@parley/log';
import { ApiError } from '@parley/protocol';

import type { Queue } from '../core/queue.ts';

/** What the owner of a queue must show, and may hear. True until an entry of the log revokes it. */
export interface Owner {
  email: string;
  apiKey: string;
  isGuest: boolean;
  refusal: ApiError | null;
  /** How often the user's credentials had been revoked when these were asked for. */
  revocations: number;
}

export interface Owners {
  /** Reads from Postgres; lookups at the same moment share one query. */
  find(userId: number): Promise<Owner>;
  isCurrent(owner: Owner, userId: number): boolean;
  revoke(userIds: readonly number[]): void;
}

export function createOwners({ sql, secret }: { sql: Sql; secret: string }): Owners {
  const revocations = new Map<number, number>();
  let batch: { userIds: Set<number>; found: Promise<Map<number, Credentials>> } | null = null;

  function findBatched(userId: number): Promise<Map<number, Credentials>> {
    if (!batch) {
      const userIds = new Set<number>();
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        batch = null;
        return findCredentials(sql, [...userIds]);
      });
      batch = { userIds, found };
    }
    batch.userIds.add(userId);
    return batch.found;
  }

  return {
    async find(userId) {
      // Before the query: a revocation that overtakes the answer makes it void.
      const before = revocations.get(userId) ?? 0;
      const found = (await findBatched(userId)).get(userId);
      if (!found) return { email: '', apiKey: '', isGuest: false, refusal: null, revocations: before };
      return {
        email: found.email.toLowerCase(),
        apiKey: deriveApiKey(secret, userId, found.generation),
        isGuest: found.isGuest,
        refusal: found.refusal,
        revocations: before,
      };
    },
    isCurrent: (owner, userId) => owner.revocations === (revocations.get(userId) ?? 0),
    revoke(userIds) {
      for (const userId of userIds) revocations.set(userId, (revocations.get(userId) ?? 0) + 1);
    },
  };
}

interface Proved {
  /** The Authorization header that was last found to be the owner's; null when the owner is looked up anew. */
  proof: string | null;
}

/**
 * Whether a header is the one that proved its sender before. Looks at every character, wherever the two differ, so
 * that time tells nothing; without the two buffers that crypto.timingSafeEqual wants, at every poll.
 */
export function isProof({ proof }: Proved, header: string | undefined): boolean {
  if (proof === null || header?.length !== proof.length) return false;
  let difference = 0;
  for (let at = 0; at < proof.length; at += 1) difference |= proof.charCodeAt(at) ^ header.charCodeAt(at);
  return difference === 0;
}

export const badQueueId = (queueId: string) =>
  new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId });

/** Refuses whoever is not the queue's owner. To others, the queue does not exist. */
export function checkOwner(queue: Queue, owner: Owner, shown: BasicCredentials, realm: string | null): void {
  if (shown.email.toLowerCase() !== owner.email) throw badQueueId(queue.id);
  if (!sameKey(shown.apiKey, owner.apiKey)) throw new ApiError('UNAUTHORIZED', 'Invalid API key');
  if (owner.refusal) throw owner.refusal;
  if (realm !== queue.realm) {
    throw new ApiError('UNAUTHORIZED', 'Account is not associated with this subdomain');
  }
}

import { randomUUID } from 'node:crypto';

import type { Tx } from '@parley/db';
import { SmallCache } from '@parley/kit';
import * as model from '@parley/model';

/** A bucket has as many users, about: a queue node that serves it is to have many polls for the log that it reads. */
const usersPerBucket = 100;
/** One node may be gone. */
const bucketsMin = 2;
/** A realm of so many fills all nodes; from there on buckets become smaller, so that each node gets as much. */
const largeUsers = 1000;
/** They have three digits. */
const bucketsMax = 36 ** 3;
/** A realm of so many users has the most buckets. */
const usersCounted = Math.ceil(Math.sqrt(bucketsMax * usersPerBucket * largeUsers));

/**
 * Makes the id of a queue. It begins with its realm and one of the realm's buckets, up to the first hyphen: a gateway
 * that hashes by this part sends a realm's polls to as many nodes as there are buckets at most. Nothing else reads it.
 */
export function newQueueId(realmId: number, buckets: number): string {
  const random = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  const bucket = random.readUInt32BE(0) % buckets;
  return `${realmId.toString(36)}_${bucket.toString(36)}-${random.toString('base64url')}`;
}

/** Returns how many buckets a realm of so many users has. */
export function bucketsFor(users: number): number {
  const buckets = Math.ceil((users / usersPerBucket) * Math.max(users / largeUsers, 1));
  return Math.min(Math.max(buckets, bucketsMin), bucketsMax);
}

const realmsMax = 10_000;
const countedEveryMs = 3_600_000;

/** Returns a function that counts a realm's users once an hour, for the number of its buckets. */
export function createQueueBuckets(): (tx: Tx, realmId: number) => Promise<number> {
  const known = new SmallCache<number, number>(realmsMax, { ttl: countedEveryMs });
  return async (tx, realmId) => {
    const before = known.get(realmId);
    if (before !== undefined) return before;
    const users = await model.users.countUsers(tx, realmId, usersCounted);
    known.set(realmId, bucketsFor(users));
    return bucketsFor(users);
  };
}

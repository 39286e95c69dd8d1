import { flagsFor, passesNarrow } from '@parley/protocol';

import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';

/**
 * Returns whether an entry is for a queue: its user is in the audience, and the queue's filter lets the entry through.
 */
export function matchesQueue(queue: Queue, entry: ReadyEntry, sets: MemberSets): boolean {
  if (!matchesFilter(queue, entry) || !isInAudience(queue, entry, sets)) return false;
  // An event that cannot be rendered is not passed over: this throws for an audience that is not there.
  if (entry.listed !== null) sets.size(entry.listed);
  return true;
}

/** The sets of members that entries refer to. A set is loaded before it is asked about. */
export interface MemberSets {
  isLoaded(audienceId: number): boolean;
  readonly has: (audienceId: number, userId: number) => boolean;
  size(audienceId: number): number;
  readonly members: (audienceId: number) => Iterable<number>;
}

/** Whether the queue's user is in the entry's audience. The writer decided who is; this only tests membership. */
function isInAudience({ userId, receivesAllPublic }: Queue, { audience }: ReadyEntry, sets: MemberSets) {
  const { users, members, except, open } = audience;
  if (except?.includes(userId)) return false;
  if (users === undefined && members === undefined) return true;
  if (open && receivesAllPublic) return true;
  if (users?.includes(userId)) return true;
  return members?.some((id) => sets.has(id, userId)) ?? false;
}

/** Returns whether the queue's filter lets the entry through, whatever its audience is. */
export function matchesFilter(queue: Queue, entry: ReadyEntry): boolean {
  const { family, event, message } = entry;
  const { eventTypes, narrow, userId, mirror } = queue;
  if (!family || isBeforeRegistration(queue, entry)) return false;
  if (eventTypes) {
    if (!eventTypes.includes(event.type) && !family.also?.some((type) => eventTypes.includes(type)))
      return false;
    // A client that names the successor does not receive the same change twice.
    if (event.type === 'muted_topics' && eventTypes.includes('user_topic')) return false;
  }
  if (message && mirror !== '' && message.message.client === mirror) return false;
  if (!message || narrow.length === 0) return true;
  return passesNarrow(narrow, message.message, flagsFor(message, userId));
}

function isBeforeRegistration({ registeredAt, ephemeralAt }: Queue, { seq, ephemeralNumber }: ReadyEntry) {
  if (ephemeralNumber === null || seq !== registeredAt) return seq <= registeredAt;
  return ephemeralNumber <= ephemeralAt;
}

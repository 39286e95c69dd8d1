import { flagsFor, passesNarrow } from '@parley/protocol';

import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';

/** The member sets that entries refer to. All that are asked about have been loaded. */
export interface MemberSets {
  isLoaded(audienceId: number): boolean;
  has(audienceId: number, userId: number): boolean;
  size(audienceId: number): number;
  members(audienceId: number): Iterable<number>;
}

/** Whether an entry is for a queue: for its user, and of a kind that the client asked for. */
export function admits(queue: Queue, entry: ReadyEntry, sets: MemberSets): boolean {
  return wants(queue, entry) && isFor(queue, entry, sets);
}

/** Whether the queue's user is in the entry's audience. The writer decided; this is only a test of membership. */
function isFor({ userId, hearsOpen }: Queue, { audience }: ReadyEntry, sets: MemberSets): boolean {
  const { users, members, except, open } = audience;
  if (except?.includes(userId)) return false;
  if (users === undefined && members === undefined) return true;
  if (open && hearsOpen) return true;
  if (users?.includes(userId)) return true;
  return members?.some((id) => sets.has(id, userId)) ?? false;
}

/** Whether the queue's filter lets the entry through, audience aside. */
export function wants(queue: Queue, { family, event, message, firstId }: ReadyEntry): boolean {
  const { eventTypes, narrow, userId, registeredId } = queue;
  if (!family || firstId <= registeredId) return false;
  if (eventTypes) {
    if (!eventTypes.includes(event.type) && !family.also?.some((type) => eventTypes.includes(type)))
      return false;
    // A client that names the successor does not hear the same change twice.
    if (event.type === 'muted_topics' && eventTypes.includes('user_topic')) return false;
  }
  if (!message || narrow.length === 0) return true;
  return passesNarrow(narrow, message.message, flagsFor(message, userId));
}

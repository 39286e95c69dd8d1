import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import { entryOf, limits, memberSets, queueOf, readEntry, sets } from '../core/fixtures.test-support.ts';
import { createPolls } from '../core/polls.ts';
import { createRing } from '../core/ring.ts';
import { type DeskNeeds, createDesk } from './events-handler.ts';
import { Asking } from './poll-response.ts';

const turnsMax = 20;

/**
 * One poll, at a node that has an entry whose audience is not loaded, and a run that reaches the ring some turns of
 * the microtask queue after it is. Returns what the poll hears.
 */
async function hearAfter(turns: number): Promise<string[]> {
  const ring = createRing(0, limits);
  ring.append([readEntry.logged(entryOf(1, { members: [2] }, { type: 'note', n: 1 }))]);
  let isLoaded = false;
  const audiences = {
    ...sets,
    isLoaded: (id: number) => isLoaded && memberSets.has(id),
    load: async () => {
      isLoaded = true;
    },
  };
  const heard: string[] = [];
  const polls = createPolls<Asking>({
    sets: audiences,
    limits,
    nowMs: 0,
    answer: (_, __, lines) => heard.push(...lines),
  });

  const queue = queueOf({ userId: 10 });
  const owner = { email: '', apiKey: '', isGuest: false, refusal: null, revocations: 0 };
  const live = { queue, owner, proof: null, seenMs: 0, renewedMs: 0, isHeld: false, isTouched: false };
  const realm = { id: queue.realmId, epoch: queue.epoch, ring, ephemerals: createEphemerals() };
  // Only what a poll of a known queue asks of them.
  const desk = createDesk({
    polls,
    audiences,
    limits,
    queues: { find: () => live, touch: () => undefined, hold: () => undefined },
    owners: { isCurrent: () => true },
    realms: { find: () => realm },
    rateLimiter: { count: () => undefined },
    nowMs: () => 0,
    fail: (_: Asking, error: unknown) => heard.push(String(error)),
  } as unknown as DeskNeeds);

  const asking = new Asking(new IncomingMessage(new Socket()));
  Object.assign(asking, { queueId: queue.id, provedBy: owner, dueMs: 45_000 });
  desk.take(asking);
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  const run = [readEntry.logged(entryOf(2, { users: [10] }, { type: 'note', n: 2 }))];
  ring.append(run);
  polls.wake(realm.id, run);
  for (let turn = 0; turn < turnsMax; turn += 1) await Promise.resolve();
  return heard;
}

test.each(Array.from({ length: turnsMax }, (_, turns) => turns))(
  'Q5: a run that comes %i turns into the reading of the log is heard by the poll that waits for it',
  async (turns) => {
    expect(await hearAfter(turns)).toEqual(['{"type":"note","n":2,"id":2000000}']);
  },
);

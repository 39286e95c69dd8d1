import type { Audiences } from '@parley/log';
import { expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import { entryOf, limits, memberSets, queueOf, readEntry, sets } from '../core/fixtures.test-support.ts';
import { createPolls } from '../core/polls.ts';
import { createRing } from '../core/ring.ts';
import { createUnreadLog } from '../log/unread-log.ts';
import { type EventsHandlerDeps, createEventsHandler } from './events-handler.ts';
import { TestExchange } from './exchange.test-support.ts';
import type { Exchange } from './exchange.ts';

const turnsMax = 20;

/**
 * One poll, at a node that has an entry whose audience is not loaded, and a run that reaches the ring some turns of
 * the microtask queue after it is. Returns the events that the poll is answered with.
 */
async function answerAfter(turns: number): Promise<string[]> {
  const { exchange, polls, ring, realm, answers } = openPoll();
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  const run = [readEntry.logged(entryOf(2, { users: [10] }, { type: 'note', n: 2 }))];
  ring.append(run);
  polls.wake(realm.id, run);
  for (let turn = 0; turn < turnsMax; turn += 1) await Promise.resolve();
  // Work that waited for the log may know it still.
  expect(exchange.mayBeginAgain).toBe(false);
  return answers;
}

/** A poll at a node that has an entry, whose audience it has to load first unless it `isLoaded`. */
function openPoll(isLoaded = false) {
  const ring = createRing(0, limits);
  ring.append([readEntry.logged(entryOf(1, { members: [2] }, { type: 'note', n: 1 }))]);
  const audiences: Audiences = {
    ...sets,
    hear: () => undefined,
    isLoaded: (id: number) => isLoaded && memberSets.has(id),
    load: async () => {
      isLoaded = true;
    },
  };
  const answers: string[] = [];
  const polls = createPolls<Exchange>({
    sets: audiences,
    limits,
    nowMs: 0,
    onRoomWanted: () => {},
    answer: (_, __, lines) => answers.push(...lines),
  });

  const queue = queueOf({ userId: 10 });
  const credentials = { email: '', apiKey: '', isGuest: false, refusal: null, revocationCount: 0 };
  const live = { queue, credentials };
  const realm = { id: queue.realmId, epoch: queue.epoch, ring, ephemerals: createEphemerals() };
  // Stubs of no more than a poll of a queue that is in memory uses.
  const never = () => Promise.reject(new Error('This is not used.'));
  const realms = { find: () => realm, catchUp: never, checkEpoch: never };
  const oldLog = { read: never };
  const handler = createEventsHandler({
    database: { whileAnswering: (work: () => Promise<void>) => work() },
    servers: { whileAnswering: (_: number, work: () => Promise<unknown>) => work() },
    polls,
    unreadLog: createUnreadLog({
      realms,
      oldLog,
      audiences,
      limits,
      clock: { nowMs: () => 0 },
      readTerm: never,
      readPosition: never,
      pause: never,
      onLostPosition: () => undefined,
    }),
    queues: { find: () => live, touch: () => undefined, becomeHolder: () => undefined },
    credentials: { isCurrent: () => true },
    realms,
    rateLimiter: { take: () => undefined },
    clock: { nowMs: () => 0 },
    onError: (_: Exchange, error: unknown) => answers.push(String(error)),
  } as unknown as EventsHandlerDeps);

  const exchange = new TestExchange();
  exchange.request.queueId = queue.id;
  Object.assign(exchange.authentication, { verified: credentials });
  exchange.poll.dueMs = 45_000;
  handler.handle(exchange);
  return { exchange, polls, ring, realm, answers };
}

test('a poll that waits at once may be used again when it is answered', () => {
  expect(openPoll(true).exchange.mayBeginAgain).toBe(true);
});

test.each(Array.from({ length: turnsMax }, (_, turns) => turns))(
  'Q5: a run that arrives %i turns into the reading of the log is delivered to the poll that waits for it',
  async (turns) => {
    expect(await answerAfter(turns)).toEqual(['{"type":"note","n":2,"id":13}']);
  },
);

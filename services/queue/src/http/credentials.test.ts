import type { Audiences } from '@parley/log';
import { ApiError } from '@parley/protocol';
import { expect, test } from 'vitest';

import { badQueueId } from '../core/bad-queue-id.ts';
import { createEphemerals } from '../core/ephemerals.ts';
import { entryOf, limits, noteOf, queueOf, readEntry, sets } from '../core/fixtures.test-support.ts';
import { createPolls } from '../core/polls.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import { createRing } from '../core/ring.ts';
import { deliverRuns } from '../log/deliver-runs.ts';
import type { Realm } from '../log/realms.ts';
import type { CredentialsStore } from '../queues/credentials-store.ts';
import { createLiveQueue } from '../queues/live-queue.ts';
import { type EventsHandlerDeps, createEventsHandler } from './events-handler.ts';
import { TestExchange } from './exchange.test-support.ts';
import type { Exchange } from './exchange.ts';
import { createGetEvents } from './get-events.ts';

const turnsMax = 30;
const [firstKey, secondKey, otherKey] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
];

/** What waits until it is let go on. */
function createGate() {
  let open = () => {};
  let isClosed = false;
  let opened = Promise.resolve();
  return {
    close() {
      isClosed = true;
      opened = new Promise((resolve) => (open = resolve));
    },
    open() {
      isClosed = false;
      open();
    },
    get isClosed() {
      return isClosed;
    },
    passed: () => opened,
  };
}

/** A node with one queue of user 10, whose key is the first one until it is changed. */
function openNode() {
  let key = firstKey;
  let revocationCount = 0;
  let refusal: ApiError | null = null;
  let isEnded = false;
  let taken = 0;
  const credentials: CredentialsStore = {
    async find() {
      const found = {
        email: 'a@b',
        apiKeys: [key],
        isGuest: false,
        realm: 'zed',
        sessions: new Map(),
        refusal,
        revocationCount,
      };
      await Promise.resolve();
      return found;
    },
    isCurrent: (found) => found.revocationCount === revocationCount,
    revoke(userIds) {
      if (userIds.includes(10)) revocationCount += 1;
    },
  };
  const audiences: Audiences = { ...sets, hear: () => undefined, load: async () => {} };
  const answers = new Map<Exchange, string>();
  const answerWith = (exchange: Exchange, text: string) =>
    answers.set(exchange, `${answers.get(exchange) ?? ''}${text}`);
  const polls = createPolls<Exchange>({
    sets: audiences,
    limits,
    nowMs: 0,
    onRoomWanted: () => {},
    answer: (exchange, _, lines) => answerWith(exchange, lines.join()),
  });
  const live = createLiveQueue(queueOf({ userId: 10 }), 0);
  const openRealm = (): Realm => ({
    id: 1,
    epoch: 'e',
    ring: createRing(0, limits),
    ephemerals: createEphemerals(),
  });
  let realm: Realm | undefined = openRealm();
  /** Happens before the realm's log is followed. */
  let beforehand = () => {};
  const reading = createGate();
  const queues = {
    find: () => (isEnded ? undefined : live),
    async get(id: string) {
      if (isEnded) throw badQueueId(id);
      return live;
    },
    touch: () => undefined,
    becomeHolder: () => undefined,
  };
  // Stubs of no more than a poll uses.
  const handler = createEventsHandler({
    database: { whileAnswering: (work: () => Promise<void>) => work() },
    servers: { whileAnswering: (_: number, work: () => Promise<unknown>) => work() },
    queues,
    credentials,
    polls,
    realms: {
      find: () => realm,
      async open() {
        await Promise.resolve();
        beforehand();
        return (realm ??= openRealm());
      },
    },
    unreadLog: {
      inMemory: ({ ring }: Realm) => (reading.isClosed ? null : ring.after(0)),
      async load() {
        await reading.passed();
        return {};
      },
      afterLoad: (_: unknown, { ring }: Realm) => ring.after(0),
    },
    clock: { nowMs: () => 0 },
    rateLimiter: {
      take() {
        taken += 1;
      },
    },
    onError: (exchange: Exchange, error: Error) => answerWith(exchange, error.message),
  } as unknown as EventsHandlerDeps);
  const getEvents = createGetEvents({
    realmOf: (host) => host ?? null,
    handler,
    queues: queues as never,
    heartbeat: { minMs: 0, spreadMs: 0 },
    clock: { nowMs: () => 0 },
  });
  const listener = deliverRuns({
    credentials,
    polls,
    handle: (exchange) => handler.handle(exchange),
  });

  async function settle(): Promise<void> {
    for (let turn = 0; turn < turnsMax; turn += 1) await Promise.resolve();
  }
  return {
    reading,
    handler,
    taken: () => taken,
    /** From now on the other key is the right one; the log has not said so yet. */
    changeKey(other: string) {
      key = other;
    },
    deactivate() {
      refusal = new ApiError('UNAUTHORIZED', 'This account is deactivated.');
    },
    endQueue() {
      isEnded = true;
      live.isForgotten = true;
    },
    /** The realm's log is not followed until it is asked for again. */
    unfollow(before = () => {}) {
      realm = undefined;
      beforehand = before;
    },
    /** The realm's log starts anew, with entries that are there already. */
    startAnew(...run: ReadyEntry[]) {
      realm = openRealm();
      realm.ring.append(run);
      listener.onLost(1);
    },
    arrive(...run: ReadyEntry[]) {
      if (!realm) throw new Error('The realm is not followed.');
      realm.ring.append(run);
      listener.onRun(realm, run);
    },
    isWaiting: () => polls.isWaiting(live.queue.id),
    /** Asks for events. Returns what was answered so far. */
    async poll(apiKey: string, { host = 'zed', query = '' } = {}) {
      const authorization = `Basic ${Buffer.from(`a@b:${apiKey}`).toString('base64')}`;
      const exchange = new TestExchange({ host, authorization });
      try {
        getEvents(exchange, `queue_id=${live.queue.id}&${query}`, '');
      } catch (error) {
        answerWith(exchange, String(error));
      }
      await settle();
      return {
        exchange,
        answer: async () => {
          await settle();
          return answers.get(exchange);
        },
      };
    },
  };
}

const note = (seq: number) => readEntry.logged(noteOf(seq, [10]));
const noted = (seq: number) => `{"type":"note","n":${seq},"id":${seq * 8 - 3}}`;
/** The end of a key, of which its owner's clients hear. */
const revocation = (seq: number) =>
  readEntry.logged({ ...entryOf(seq, { users: [10] }, { type: 'note', n: seq }), revokes: [10] });

const wrongKey = 'This API key is not valid.';

test('a poll with the right key waits, and hears', async () => {
  const node = openNode();
  const { answer } = await node.poll(firstKey);
  expect(await answer()).toBeUndefined();
  node.arrive(note(1));
  expect(await answer()).toBe(noted(1));
});

test('a key that ends while the poll waits is told nothing, not even in the run that ends it', async () => {
  const node = openNode();
  const { answer } = await node.poll(firstKey);
  node.changeKey(secondKey);
  node.arrive(readEntry.logged(noteOf(1, [99])), revocation(2), note(3));
  expect(await answer()).toBe(wrongKey);
});

test('a key that ends while the log is read is told nothing', async () => {
  const node = openNode();
  node.reading.close();
  const { answer } = await node.poll(firstKey);
  node.changeKey(secondKey);
  node.arrive(revocation(1), note(2));
  node.reading.open();
  expect(await answer()).toBe(wrongKey);
});

test('a user whose credentials changed and whose key did not stays connected, and is counted once', async () => {
  const node = openNode();
  const waiting = await node.poll(firstKey);
  node.reading.close();
  node.arrive(revocation(1));
  await waiting.answer();
  node.arrive(revocation(2));
  node.reading.open();
  expect(await waiting.answer()).toBe(`${noted(1)},${noted(2)}`);
  expect(node.taken()).toBe(1);
});

test('a key that ended stays refused, although its header was the last that was verified', async () => {
  const node = openNode();
  await node.poll(firstKey);
  node.changeKey(secondKey);
  node.arrive(revocation(1));
  for (let time = 0; time < 3; time += 1) expect(await (await node.poll(firstKey)).answer()).toBe(wrongKey);
  expect(await (await node.poll(secondKey)).answer()).toBe(noted(1));
  expect(await (await node.poll(firstKey)).answer()).toBe(wrongKey);
});

test('a wrong key is not remembered, and does not keep the right one from waiting', async () => {
  const node = openNode();
  for (let time = 0; time < 2; time += 1) expect(await (await node.poll(otherKey)).answer()).toBe(wrongKey);
  const right = await node.poll(firstKey);
  for (let time = 0; time < 2; time += 1) expect(await (await node.poll(otherKey)).answer()).toBe(wrongKey);
  node.arrive(note(1));
  expect(await right.answer()).toBe(noted(1));
});

test('the verified header is none at the door of another organization', async () => {
  const node = openNode();
  await node.poll(firstKey);
  expect(await (await node.poll(firstKey, { host: 'other' })).answer()).toContain('another organization');
});

test('wrong credentials are refused before wrong parameters, and those before anything is read', async () => {
  const node = openNode();
  expect(await (await node.poll(otherKey, { query: 'last_event_id=x' })).answer()).toBe(wrongKey);
  node.reading.close();
  expect(await (await node.poll(firstKey, { query: 'last_event_id=x' })).answer()).toContain('last_event_id');
});

test('a key that ended before the log is followed is not taken for one that holds', async () => {
  const node = openNode();
  node.unfollow(() => node.changeKey(secondKey));
  expect(await (await node.poll(firstKey)).answer()).toBe(wrongKey);
});

test('an account that is deactivated is told so, with the right key only', async () => {
  const node = openNode();
  const waiting = await node.poll(firstKey);
  node.deactivate();
  node.arrive(revocation(1));
  expect(await waiting.answer()).toBe('This account is deactivated.');
  expect(await (await node.poll(otherKey)).answer()).toBe(wrongKey);
});

test('a queue that is ended while the log is read is not there', async () => {
  const node = openNode();
  node.reading.close();
  const { answer } = await node.poll(firstKey);
  node.endQueue();
  node.reading.open();
  expect(await answer()).toContain('There is no event queue');
});

test('a poll goes on in the log that starts anew, whether it waits or the old one is read for it', async () => {
  const node = openNode();
  const waiting = await node.poll(firstKey);
  node.startAnew(note(1));
  expect(await waiting.answer()).toBe(noted(1));
  node.reading.close();
  const reading = await node.poll(firstKey);
  node.startAnew(note(1), note(2));
  node.reading.open();
  expect(await reading.answer()).toBe(`${noted(1)},${noted(2)}`);
});

test('a client that hangs up waits no more', async () => {
  const node = openNode();
  const { exchange } = await node.poll(firstKey);
  expect(node.isWaiting()).toBe(true);
  node.handler.giveUp(exchange);
  expect(node.isWaiting()).toBe(false);
});

test('what the client closed, or was answered already, is not answered', async () => {
  const node = openNode();
  node.reading.close();
  const { exchange, answer } = await node.poll(firstKey);
  node.handler.giveUp(exchange);
  node.arrive(note(1));
  node.reading.open();
  expect(await answer()).toBeUndefined();
});

test('a node that is about to stop answers whoever would wait', async () => {
  const node = openNode();
  node.handler.stopWaiting();
  expect(await (await node.poll(firstKey)).answer()).toContain('heartbeat');
});

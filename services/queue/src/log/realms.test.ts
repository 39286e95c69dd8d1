import { createLogger } from '@parley/kit';
import type { Audiences, FollowerListener } from '@parley/log';
import type { Entry } from '@parley/protocol';
import { afterEach, expect, test, vi } from 'vitest';

import {
  entryOf,
  ephemeralOf,
  limits,
  noteOf,
  queueOf,
  readEntry,
  sets,
} from '../core/fixtures.test-support.ts';
import type { ReadyEntry } from '../core/ready-entry.ts';
import { createRealms } from './realms.ts';

const stopping: AbortController[] = [];
afterEach(() => stopping.splice(0).forEach((controller) => controller.abort()));

/** The realms of a node, whose follower is told by hand what it has read. */
function openNode() {
  const controller = new AbortController();
  stopping.push(controller);
  const heard: string[] = [];
  const errors: string[] = [];
  const warnings: string[] = [];
  const loaded = new Set([1]);
  const follower = {
    tail: { epoch: 'e', floor: 2, floorTerm: '', head: 3, entries: [noteOf(3, [10])] },
    isAway: false,
    followed: [] as number[],
    isClosed: false,
    /** What happens when a tail has been read. */
    onTail: () => {},
    listener: null as FollowerListener | null,
    /** What is read of the log when somebody catches up with it. */
    behind: [] as Entry[],
  };
  const state = {
    epoch: 'e' as string | undefined,
    nowMs: 0,
    /** So many audiences fit in memory. */
    fits: Number.POSITIVE_INFINITY,
    /** What loads of audiences do before they answer. */
    load: async () => {},
    /** What happens when audiences have been loaded. */
    onLoaded: () => {},
    /** What whoever hears of a run does. */
    onRun: () => {},
  };
  const audiences: Audiences = {
    ...sets,
    hear: () => undefined,
    isLoaded: (id) => loaded.has(id),
    async load(ids) {
      await state.load();
      for (const id of ids) loaded.add(id);
      for (const id of loaded) if (loaded.size > state.fits) loaded.delete(id);
      state.onLoaded();
    },
  };
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.error = (...args: unknown[]) => void errors.push(JSON.stringify(args));
  logger.warn = (...args: unknown[]) => void warnings.push(JSON.stringify(args));
  const realms = createRealms({
    createFollower(listener) {
      follower.listener = listener;
      return {
        async follow(realmId) {
          follower.followed.push(realmId);
          await Promise.resolve();
          if (follower.isAway) throw new Error('Postgres is away.');
          follower.onTail();
          return follower.tail;
        },
        unfollow: (realmId) => void follower.followed.splice(follower.followed.indexOf(realmId), 1),
        async catchUp(realmId) {
          await Promise.resolve();
          listener.onEntries(realmId, follower.behind.splice(0));
          return 0;
        },
        async [Symbol.asyncDispose]() {
          follower.isClosed = true;
        },
      };
    },
    readEpoch: async () => await Promise.resolve(state.epoch),
    logger,
    audiences,
    readEntry,
    limits,
    clock: { nowMs: () => state.nowMs },
    signal: controller.signal,
  });
  realms.listen({
    onRun(realm, run) {
      heard.push(`${realm.id}: ${run.map(({ seq }) => seq).join(' ')}`);
      state.onRun();
    },
    onLost: (realmId) => void heard.push(`${realmId}: lost`),
  });
  return {
    realms,
    follower,
    state,
    heard,
    errors,
    warnings,
    stop: () => controller.abort(),
    forgetAudiences: () => loaded.clear(),
    carry: (realmId: number, ...entries: Entry[]) => follower.listener?.onEntries(realmId, entries),
  };
}

const toMembers = (seq: number, id: number) => entryOf(seq, { members: [id] }, { type: 'note', n: seq });

/** Turns of the microtask queue. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const seqsOf = (entries: readonly ReadyEntry[] | undefined) => entries?.map(({ seq }) => seq);

test('a realm is followed once, from the tail of its log on', async () => {
  const { realms, follower, heard, carry } = openNode();
  const [realm, other] = await Promise.all([realms.open(1), realms.open(1)]);
  expect([other, await realms.open(1), realms.find(1)]).toEqual([realm, realm, realm]);
  expect(follower.followed).toEqual([1]);
  expect([realm.id, realm.epoch, realm.ring.floor, seqsOf(realm.ring.after(2))]).toEqual([1, 'e', 2, [3]]);
  carry(1, noteOf(4, [10]), noteOf(5, [10]));
  expect(seqsOf(realm.ring.after(2))).toEqual([3, 4, 5]);
  carry(2, noteOf(4, [10]));
  expect(heard).toEqual(['1: 4 5']);
});

test('a realm that could not be followed is followed by whoever asks next', async () => {
  const { realms, follower } = openNode();
  follower.isAway = true;
  await expect(realms.open(1)).rejects.toThrow('away');
  expect(realms.find(1)).toBeUndefined();
  follower.isAway = false;
  expect(await realms.open(1)).toBe(realms.find(1));
});

test('a realm whose log starts anew while it is opened is followed anew', async () => {
  const { realms, follower, heard } = openNode();
  const [lost, present] = [follower.tail, { ...follower.tail, epoch: 'f' }];
  follower.onTail = () => {
    follower.onTail = () => {};
    follower.listener?.onNewEpoch(7);
    follower.tail = present;
  };
  const opened = await Promise.all([realms.open(7), realms.open(7)]);
  expect(lost.epoch).toBe('e');
  expect(opened.map(({ epoch }) => epoch)).toEqual(['f', 'f']);
  expect(realms.find(7)).toBe(opened[0]);
  expect(follower.followed).toEqual([7]);
  expect(heard).toEqual(['7: lost']);
});

test('a realm that was lost is not caught up with', async () => {
  const { realms, follower } = openNode();
  const realm = await realms.open(7);
  follower.listener?.onNewEpoch(7);
  follower.behind = [noteOf(4, [10])];
  await realms.catchUp(realm);
  expect(follower.behind).toHaveLength(1);
  expect(realm.ring.head).toBe(3);
});

test('realms that nobody needs are not followed any more, and nobody is told that they are lost', async () => {
  const { realms, follower, heard } = openNode();
  for (const id of [1, 2, 3]) await realms.open(id);
  expect([...realms.all()].map(({ id }) => id)).toEqual([1, 2, 3]);
  realms.closeAllBut(new Set([2]));
  expect([1, 2, 3].map((id) => realms.find(id)?.id)).toEqual([undefined, 2, undefined]);
  expect([...realms.all()]).toEqual([realms.find(2)]);
  expect(follower.followed).toEqual([2]);
  expect(heard).toEqual([]);
  const again = await realms.open(1);
  expect([again, follower.followed]).toEqual([realms.find(1), [2, 1]]);
});

test('a run waits for its audiences, and what comes behind it waits for the run', async () => {
  const { realms, heard, carry } = openNode();
  const realm = await realms.open(1);
  carry(1, toMembers(4, 2));
  carry(1, noteOf(5, [10]));
  expect([heard, realm.ring.head]).toEqual([[], 3]);
  await settled();
  expect(heard).toEqual(['1: 4', '1: 5']);
  carry(1, toMembers(6, 2));
  expect(heard, 'and at once when they are in memory').toEqual(['1: 4', '1: 5', '1: 6']);
});

test('audiences that cannot be loaded are tried again', async () => {
  const { realms, state, heard, warnings, carry } = openNode();
  await realms.open(1);
  let loads = 0;
  state.load = async () => {
    loads += 1;
    if (loads < 3) throw new Error('Postgres is away.');
  };
  carry(1, toMembers(4, 2));
  await vi.waitUntil(() => heard.length > 0, { timeout: 60_000 });
  expect([heard, loads]).toEqual([['1: 4'], 3]);
  const warning = expect.stringContaining('"realmId":1,"head":3},"cannot load an audience"');
  expect(warnings).toEqual([warning, warning]);
});

test('audiences that are forgotten once they are loaded are loaded again', async () => {
  const { realms, state, heard, errors, carry, forgetAudiences } = openNode();
  await realms.open(1);
  let loads = 0;
  state.onLoaded = () => {
    loads += 1;
    if (loads === 1) forgetAudiences();
  };
  carry(1, toMembers(4, 2));
  await settled();
  expect([heard, errors, loads]).toEqual([['1: 4'], [], 2]);
});

test.each(['the realm is lost', 'the realm is followed anew', 'the node stops'])(
  'a run whose audiences are loaded is nobody’s once %s',
  async (what) => {
    const { realms, follower, state, heard, stop, carry } = openNode();
    await realms.open(1);
    let loads = 0;
    state.load = async () => {
      loads += 1;
      if (what === 'the node stops') return stop();
      follower.listener?.onNewEpoch(1);
      if (what === 'the realm is followed anew') await realms.open(1);
      if (what === 'the realm is lost') throw new Error('Postgres is away.');
    };
    carry(1, toMembers(4, 2));
    carry(1, noteOf(5, [10]));
    await vi.waitUntil(() => loads > 0, { timeout: 60_000 });
    await settled();
    expect(heard).toEqual(what === 'the node stops' ? [] : ['1: lost']);
    expect(loads).toBe(1);
  },
);

test('a node that catches up has what was committed before, with its audiences', async () => {
  const { realms, follower, heard } = openNode();
  const realm = await realms.open(1);
  follower.behind.push(toMembers(4, 2));
  await realms.catchUp(realm);
  expect([heard, realm.ring.head]).toEqual([['1: 4'], 4]);
  follower.listener?.onNewEpoch(1);
  await realms.catchUp(realm);
  expect(heard).toEqual(['1: 4', '1: lost']);
});

test('a log that started anew is lost, and one that is as it was is not', async () => {
  const { realms, follower, state, heard } = openNode();
  const realm = await realms.open(1);
  await realms.checkEpoch(realm);
  expect(realms.find(1)).toBe(realm);
  state.epoch = undefined;
  await realms.checkEpoch(realm);
  expect([realms.find(1), heard, follower.followed]).toEqual([undefined, ['1: lost'], []]);
  await realms.open(1);
  await realms.checkEpoch(realm);
  expect(heard, 'and only once').toEqual(['1: lost']);
});

test('a realm whose run cannot be delivered is followed anew', async () => {
  const { realms, state, heard, errors, carry } = openNode();
  await realms.open(1);
  state.onRun = () => {
    throw new Error('A listener failed.');
  };
  carry(1, noteOf(4, [10]));
  expect(heard).toEqual(['1: 4', '1: lost']);
  expect(errors).toEqual([expect.stringContaining('"realmId":1},"delivering failed')]);
  expect(realms.find(1)).toBeUndefined();
});

test('an ephemeral event is passed on at its position in the log', async () => {
  const { realms, heard, carry } = openNode();
  await realms.open(1);
  realms.receiveEphemeral(ephemeralOf({ after: 3 }));
  realms.receiveEphemeral(ephemeralOf({ after: 4, n: 2 }));
  expect(heard).toEqual(['1: 3']);
  carry(1, noteOf(4, [10]), noteOf(5, [10]));
  expect(heard).toEqual(['1: 3', '1: 4 4 5']);
});

test('an ephemeral event of a realm that is not followed yet is for its first polls, as long as they may be late', async () => {
  const { realms, state, heard, carry } = openNode();
  const received = (id: number, head: number) =>
    seqsOf(realms.find(id)?.ephemerals.after(-1, queueOf({ userId: 10 }), head, state.nowMs));
  for (const [n, after] of [2, 3, 5].entries()) realms.receiveEphemeral(ephemeralOf({ n: n + 1, after }));
  realms.receiveEphemeral(ephemeralOf({ realmId: 2, after: 3 }));
  const realm = await realms.open(1);
  expect(received(1, realm.ring.head)).toEqual([2, 3]);
  carry(1, noteOf(4, [10]), noteOf(5, [10]));
  expect(heard, 'those that the log had reached wait for nothing').toEqual(['1: 4 5 5']);
  realms.closeAllBut(new Set());
  await realms.open(1);
  expect(received(1, 9), 'and for none that come after').toEqual([]);
  state.nowMs = 5000;
  await realms.open(2);
  expect(received(2, 9)).toEqual([]);
});

test('a node that ends ends its follower', async () => {
  const { realms, follower } = openNode();
  await realms[Symbol.asyncDispose]();
  expect(follower.isClosed).toBe(true);
});

test('a run whose audiences do not fit in memory together is delivered entry by entry', async () => {
  const { realms, state, heard, errors, carry } = openNode();
  const realm = await realms.open(1);
  state.fits = 2;
  carry(1, toMembers(4, 4), toMembers(5, 5), toMembers(6, 6));
  carry(1, toMembers(7, 6));
  await vi.waitUntil(() => realm.ring.head === 7, { timeout: 60_000 });
  expect(heard).toEqual(['1: 4', '1: 5', '1: 6', '1: 7']);
  expect(errors).toEqual([]);
});

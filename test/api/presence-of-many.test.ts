import * as actions from '@parley/actions';
import { createSharedPresences } from '@parley/api';
import { createLogger } from '@parley/kit';
import { type Actor, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { connectRedis } from '@parley/redis';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import {
  type Person,
  addMembers,
  done,
  getWorld,
  groupId,
  realm,
  subscribe,
  succeed,
} from '../support/index.ts';

const many = 120;
/** Longer than replies stay the same. */
const laterMs = 10_000;

type State = Awaited<ReturnType<ReturnType<typeof createSharedPresences>['state']>>;
type Shown = Record<string, object>;

/** The presences of a state, as a client reads them. */
const shownIn = (state: State): Shown => JSON.parse(JSON.stringify(state.presences));

/** A realm in which so many people are there that nodes tell all of them the same. */
async function open() {
  const people = await realm();
  const { engine } = await getWorld();
  const home = people.alice.realm;
  const ids = await addMembers(home, many);
  const rows = await engine.db.query.users.findMany({ where: ({ id }, { inArray }) => inArray(id, ids) });
  const actors = rows.map((row) => actorOf(row, home));
  const time = { nowMs: Date.now() };
  const report = (actor: Actor, isActive = true) =>
    engine.writeWithoutLog(home.id, actions.presence.record, { actor, isActive, nowMs: time.nowMs });
  for (const actor of actors) await report(actor);
  const node = () => {
    const presences = createSharedPresences(engine);
    return async (
      viewer: Actor,
      { isSlim = true, ...query }: { isSlim?: boolean; since?: number; historyDays?: number } = {},
    ) => await presences.state(viewer, isSlim, { ...query, nowMs: time.nowMs });
  };
  /** A node that knows how many there are. */
  const readyNode = async () => {
    const ask = node();
    await ask(people.alice.actor);
    return ask;
  };
  return {
    ...people,
    engine,
    actors,
    time,
    report,
    node,
    readyNode,
    /** What one finds who reads everything. */
    all: async (viewer: Actor, isSlim = true, query: { since?: number } = {}) =>
      model.presence.presentState(
        await model.presence.listPresences(engine.db, viewer, { ...query, nowMs: time.nowMs }),
        isSlim,
        time.nowMs,
      ),
    show: (actor: Actor, isShown: boolean) =>
      engine.perform(home.id, actions.users.editSettings, {
        actor,
        settings: { presence_enabled: isShown },
        nowMs: time.nowMs,
      }),
  };
}

describe('the presence of many people', () => {
  test('is one text for all who ask in the same moment, and another when somebody has come since', async () => {
    const { alice, bob, actors, time, report, readyNode } = await open();
    const ask = await readyNode();
    const [first, second] = await Promise.all([ask(alice.actor), ask(bob.actor)]);
    expect(second).toEqual(first);
    expect((await ask(alice.actor)).presences).toBe(first.presences);
    expect(second.presences).toBe(first.presences);
    expect(Object.keys(shownIn(first))).toHaveLength(many);
    const since = first.presence_last_update_id;
    expect(await ask(bob.actor, { since })).toMatchObject({ presence_last_update_id: since });
    expect(shownIn(await ask(bob.actor, { since }))).toEqual({});

    time.nowMs += 60_000;
    const [back] = actors;
    if (!back) throw new Error('Nobody is there.');
    await report(back);
    const told = await ask(alice.actor, { since });
    expect(Object.keys(shownIn(told))).toEqual([String(back.id)]);
    expect(told.presence_last_update_id).toBeGreaterThan(since);
    expect((await ask(bob.actor, { since })).presences).toBe(told.presences);
    expect((await ask(bob.actor)).presences).not.toBe(first.presences);
  });

  test('is by address for older clients, and shows no address that is hidden meanwhile', async () => {
    const { alice, bob, actors, engine, time, readyNode, all } = await open();
    const ask = await readyNode();
    expect(shownIn(await ask(alice.actor, { isSlim: false }))).toEqual(
      (await all(alice.actor, false)).presences,
    );
    const [shy] = actors;
    if (!shy) throw new Error('Nobody is there.');
    await engine.perform(bob.realm.id, actions.users.editSettings, {
      actor: shy,
      settings: { email_address_visibility: 3 },
      nowMs: time.nowMs,
    });
    time.nowMs += laterMs;
    await engine.writeWithoutLog(bob.realm.id, actions.presence.record, {
      actor: bob.actor,
      isActive: true,
      nowMs: time.nowMs,
    });
    const shown = shownIn(await ask(alice.actor, { isSlim: false }));
    expect(shown).toEqual((await all(alice.actor, false)).presences);
    expect(Object.keys(shown)).not.toContain(shy.email);
  });

  test('tells of the days that are asked for', async () => {
    const { alice, time, actors, report, readyNode, all } = await open();
    const ask = await readyNode();
    time.nowMs += 15 * 86_400_000;
    for (const actor of actors.slice(0, 3)) await report(actor);
    expect(Object.keys(shownIn(await ask(alice.actor)))).toHaveLength(3);
    expect(shownIn(await ask(alice.actor))).toEqual((await all(alice.actor)).presences);
    expect(Object.keys(shownIn(await ask(alice.actor, { historyDays: 20 })))).toHaveLength(many);
    expect(await ask(alice.actor, { historyDays: 0 })).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
    });
  });

  test('hides who wants to be hidden at once, on every node', async () => {
    const { alice, actors, show, readyNode } = await open();
    const nodes = [await readyNode(), await readyNode()];
    const [shy] = actors;
    if (!shy) throw new Error('Nobody is there.');
    const before = await Promise.all(nodes.map((ask) => ask(alice.actor)));
    await show(shy, false);
    for (const [index, ask] of nodes.entries()) {
      const [then, now] = [before[index], await ask(alice.actor)];
      const times = (state: State | undefined) => (state ? shownIn(state)[shy.id] : undefined);
      expect(times(now)).not.toEqual(times(then));
      expect(shownIn(await ask(alice.actor, { since: then?.presence_last_update_id ?? 0 }))).toEqual({
        [shy.id]: times(now),
      });
    }
  });

  test('is without those who are deactivated, and has them again when they are back', async () => {
    const { owner, alice, actors, time, readyNode, all } = await open();
    const ask = await readyNode();
    const [gone] = actors;
    await succeed(owner.delete(`/users/${gone?.id}`));
    time.nowMs += laterMs;
    expect(shownIn(await ask(alice.actor))).not.toHaveProperty(String(gone?.id));
    await succeed(owner.post(`/users/${gone?.id}/reactivate`));
    time.nowMs += laterMs;
    expect(shownIn(await ask(alice.actor))).toEqual((await all(alice.actor)).presences);
    expect(shownIn(await ask(alice.actor))).toHaveProperty(String(gone?.id));
  });

  test('is nobody’s where presence is off, and guests who see some people have those alone', async () => {
    const { owner, alice, guest, report, readyNode } = await open();
    const ask = await readyNode();
    await subscribe(owner, 'lobby', [owner, alice, guest]);
    const members = await groupId(owner, 'role:members');
    await succeed(owner.patch('/realm', { can_access_all_users_group: { new: members } }));
    for (const { actor } of [alice, guest]) await report(actor);
    expect(Object.keys(shownIn(await ask(guest.actor)))).toEqual([alice, guest].map(({ id }) => String(id)));
    expect(Object.keys(shownIn(await ask(alice.actor)))).toHaveLength(many + 2);
    await succeed(owner.patch('/realm', { presence_disabled: true }));
    expect(await ask(alice.actor)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
  });

  test('is complete for whoever asks in a transaction that began long ago, and stays complete for all others', async () => {
    const { alice, bob, actors, engine, time, report, all } = await open();
    const presences = createSharedPresences(engine);
    const state = (tx: typeof engine.db | Parameters<Parameters<typeof engine.snapshot>[0]>[0]) =>
      presences.state(alice.actor, true, { nowMs: time.nowMs }, tx);
    await state(engine.db);
    time.nowMs += 60_000;
    await engine.snapshot(async (tx) => {
      await state(tx);
      for (const actor of [...actors.slice(0, 5), bob.actor]) await report(actor);
      expect(Object.keys(shownIn(await state(tx))).length).toBeGreaterThanOrEqual(many);
      time.nowMs += laterMs;
      await state(engine.db);
      expect(Object.keys(shownIn(await state(tx)))).toContain(String(actors[0]?.id));
    });
    expect(shownIn(await state(engine.db))).toEqual((await all(alice.actor)).presences);
  });
});

test('everybody is told of where there are more people than are read and written at once', async () => {
  const { alice, readyNode, all } = await open();
  const ids = await addMembers(alice.realm, 5001, 'later');
  const { sql } = await getWorld();
  await sql`
    insert into presences (user_id, realm_id, active_at, idle_at, update_id)
    select id, ${alice.realm.id}, now(), now(), nextval('presence_updates') from unnest(${ids}::int[]) id`;
  const ask = await readyNode();
  const shown = shownIn(await ask(alice.actor));
  expect(Object.keys(shown)).toHaveLength(many + 5001);
  expect(shown).toEqual((await all(alice.actor)).presences);
});

/** Of a node, of another, and of one of a version that reads everything. */
const ways = ['asks', 'asks elsewhere', 'asks as before'];

const step = fc.record({
  who: fc.nat(9),
  does: fc.constantFrom('is active', 'is idle', 'hides', 'shows', ...ways),
  afterMs: fc.constantFrom(0, 20, 1000, 60_000),
});

test('whoever asks for what is new, of whichever node, has what there is in the end', async () => {
  const { alice, bob, carol, actors, time, report, readyNode, show, all } = await open();
  const nodes = [
    await readyNode(),
    await readyNode(),
    (viewer: Actor, query: { since?: number }) => all(viewer, true, query),
  ];
  const clients = [alice, bob, carol].map(({ actor }) => ({ actor, since: -1, shown: {} as Shown }));
  const ask = async (client: (typeof clients)[number] | undefined, node: number) => {
    if (!client) return;
    const { actor, since } = client;
    const state = await nodes[node]?.(actor, { since });
    if (!state) return;
    expect(state.presence_last_update_id).toBeGreaterThanOrEqual(since);
    client.since = state.presence_last_update_id;
    Object.assign(client.shown, shownIn(state));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const { who, does, afterMs } of steps) {
        time.nowMs += afterMs;
        const actor = actors[who];
        if (!actor) throw new Error('Nobody is there.');
        if (does === 'is active' || does === 'is idle') await report(actor, does === 'is active');
        else if (does === 'hides' || does === 'shows') await show(actor, does === 'shows');
        else await ask(clients[who % clients.length], ways.indexOf(does));
      }
      time.nowMs += laterMs;
      const { presences } = await all(alice.actor);
      for (const client of clients) {
        await ask(client, 0);
        expect(client.shown).toEqual(presences);
      }
    }),
    { numRuns: 10 },
  );
});

describe('clients of many people', () => {
  const reading = async (person: Person, port: number) => {
    const ask = async (method: 'GET' | 'POST', path: string, params: object) =>
      (await person.ask(method, path, { ...params }, { port })).body;
    return [
      await ask('POST', '/users/me/presence', { status: 'idle', last_update_id: -1 }),
      await ask('POST', '/register', { fetch_event_types: ['presence'], slim_presence: true }),
      await ask('GET', '/realm/presence', {}),
    ];
  };

  test('have the same replies as others, also while Redis is away', async () => {
    const { alice, bob, guest, all } = await open();
    const logger = createLogger({ role: 'test', level: 'silent' });
    const redis = connectRedis({ url: 'redis://127.0.0.1:1', name: 'nowhere', logger });
    await using node = await (await getWorld()).startApi({ redis });
    for (const person of [alice, bob, guest]) {
      const present = Object.keys((await all(alice.actor)).presences);
      // A reply may be that of somebody who asked a moment ago.
      const hasAll = async () => {
        const [report, , addresses] = await reading(person, node.port);
        expect(report).toMatchObject(done);
        expect(Object.keys(addresses.presences).length).toBeGreaterThanOrEqual(many);
        return present.every((id) => id in report.presences);
      };
      await vi.waitUntil(hasAll, { timeout: 60_000 });
    }
    redis.disconnect();
  });

  test('register with the presence of all', async () => {
    const { alice, all } = await open();
    const { startApi } = await getWorld();
    await using node = await startApi();
    await reading(alice, node.port);
    const [, registered] = await reading(alice, node.port);
    expect(registered.presences).toEqual((await all(alice.actor)).presences);
    expect(registered.queue_id).toEqual(expect.any(String));
  });
});

import { type State, kindOf } from '@parley/client';
import { events } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type TestRealm, realm } from '../../support/index.ts';
import { isNight, seed } from '../../support/seed.ts';
import { type Action, type Actions, actionsByFile } from '../actions/index.ts';
import {
  type ClientKind,
  type Follower,
  asFollowed,
  followAs,
  missedKinds,
  shown,
} from '../follower/index.ts';
import { watchDecisions } from './decisions.ts';

/** Who follows: each is told of another part of what happens. */
export const viewers = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;

export type Viewer = (typeof viewers)[number];

/** Kinds of events of which a kind of client is different from what the rest of this law says. */
interface Exceptions {
  /** It is never sent them. */
  neverHeard: readonly string[];
  /** It ends where a fresh client starts, also without them. */
  neverMissed: readonly string[];
}

const exceptions: Record<ClientKind, Exceptions> = {
  modern: {
    // A group that is deactivated is still there for it.
    neverHeard: ['update_display_settings', 'update_global_notifications', 'user_group remove'],
    // It hears of topics one by one.
    neverMissed: ['muted_topics'],
  },
  oldest: {
    neverHeard: ['realm_linkifiers'],
    // It asks for the list of muted topics.
    neverMissed: ['user_topic'],
  },
};

/** Two ways to know the same. */
const clientKinds = ['modern', 'oldest'] as const;

/** What clients of a kind heard in all actions, and without what some of them would have ended elsewhere. */
const kindsOfEvents = () => ({ heard: new Set<string>(), missed: new Set<string>() });

/**
 * Who follows, as which kind of client: by night everybody as all kinds; by day as one kind each, the next day as the
 * other.
 */
const clients = viewers.flatMap((name, at) =>
  clientKinds
    .filter((_, index) => isNight || (at + index + seed) % 2 === 0)
    .map((kind): { name: Viewer; kind: ClientKind } => ({ name, kind })),
);

/** Kinds of clients of which all viewers together are one. */
const groupsOfKinds: readonly (readonly ClientKind[])[] = isNight
  ? clientKinds.map((kind) => [kind])
  : [clientKinds];

/**
 * The law of events, for every action, as every viewer: a client of any kind that follows ends where a fresh one starts.
 * And what nobody said to have changed is decided as before.
 */
export function testFollowing(): void {
  const told = { modern: kindsOfEvents(), oldest: kindsOfEvents() };
  for (const actions of actionsByFile) testActions(actions, told);

  for (const kinds of groupsOfKinds) {
    describe(`clients that are ${kinds.join(' or ')}`, () => {
      testCoverage(kinds, told);
    });
  }
}

type Told = Record<ClientKind, ReturnType<typeof kindsOfEvents>>;

/** Starting clients is the costly part, so actions follow each other in one realm, until one of them fails. */
function testActions(actions: Actions, told: Told): void {
  let last: Scene | undefined;
  const all = Object.entries(actions);
  const cases = all.map(([name, action], at) => {
    const next = all[at + 1]?.[1];
    return { name, action, isLast: next === undefined || next.inNewRealm === true };
  });
  test.each(cases)('$name: clients that follow end where fresh ones start', async ({ action, isLast }) => {
    const scene = last && !action.inNewRealm ? last : new Scene(await realm());
    last = undefined;
    const played = await scene.play(action, isLast);
    for (const { kind, heard, missed } of played) {
      for (const one of heard) told[kind].heard.add(one);
      for (const one of missed) told[kind].missed.add(one);
    }
    for (const kinds of groupsOfKinds) {
      const missed = played.filter(({ kind }) => kinds.includes(kind)).flatMap((one) => one.missed);
      expect(missed, `were its events lost, nobody would miss them (${kinds.join(' or ')})`).not.toEqual([]);
    }
    last = scene;
  });
}

/** Tests what clients of some kinds heard and needed in all actions, together. */
function testCoverage(kinds: readonly ClientKind[], told: Told): void {
  const union = (sets: readonly Iterable<string>[]) => new Set(sets.flatMap((set) => [...set]));
  const neverMissed = kinds.flatMap((kind) => exceptions[kind].neverMissed);
  const known = kinds.map((kind) =>
    kindsForClients().filter((one) => !exceptions[kind].neverHeard.includes(one)),
  );

  test('they followed every kind of event that they are sent, and no other', () => {
    const heard = union(kinds.map((kind) => told[kind].heard));
    const all = union(known);
    expect([...heard].filter((one) => !all.has(one))).toEqual([]);
    expect(
      [...all].filter((one) => known.every((theirs) => theirs.includes(one)) && !heard.has(one)),
    ).toEqual([]);
  });

  test('they would have missed an event of any kind, were it lost', () => {
    const heard = union(kinds.map((kind) => told[kind].heard));
    const missed = union(kinds.map((kind) => told[kind].missed));
    const needless = [...heard].filter((one) => !missed.has(one));
    expect(needless.filter((one) => !neverMissed.includes(one))).toEqual([]);
    // By day too few clients follow to tell.
    const unneeded = isNight ? neverMissed.filter((one) => !needless.includes(one)) : [];
    expect(unneeded).toEqual([]);
  });
}

/** What clients hold, in the order of `clients`. */
type Held = readonly State[];

/**
 * Those who are compared with fresh clients after an action: by night, and after the last action of a realm, all; by day two
 * viewers of eight before that, who are clients of both kinds, and others after the next action. What a client has missed it
 * still lacks by then.
 */
const comparedAfter = (turn: number, isLast: boolean): typeof clients =>
  clients.filter(
    ({ name }) => isNight || isLast || (Math.floor(viewers.indexOf(name) / 2) + turn + seed) % 4 === 0,
  );

/** A realm with clients of every kind as every viewer, who follow one action after the other. */
class Scene {
  readonly #people: TestRealm;
  #followers: readonly Follower[] = [];
  #turn = 0;

  constructor(people: TestRealm) {
    this.#people = people;
  }

  /** Lets an action happen and clients follow; returns what kinds of events those of each kind heard and needed. */
  async play(prepare: Action, isLast: boolean) {
    const decisions = watchDecisions(this.#people);
    const act = await prepare(decisions.people);
    const before = await this.#follow();
    await decisions.begin();

    await act();
    await decisions.compare();
    const events = await Promise.all(this.#followers.map((follower) => follower.catchUp()));
    expectChanged(before, this.#states());
    const compared = comparedAfter((this.#turn += 1), isLast);
    expectAsFresh(compared, this.#followers, await startAll(this.#people, compared));
    return clientKinds.map((kind) => {
      const theirs = clients.flatMap((client, at) => (client.kind === kind ? [at] : []));
      const missed = theirs.flatMap((at) => [...missedKinds(required(before[at]), events[at] ?? [])]);
      return { kind, missed, heard: theirs.flatMap((at) => (events[at] ?? []).map(kindOf)) };
    });
  }

  /** Starts the clients, or lets those that follow catch up; returns what they hold. */
  async #follow(): Promise<Held> {
    if (this.#followers.length === 0) this.#followers = await startAll(this.#people);
    else await Promise.all(this.#followers.map((follower) => follower.catchUp()));
    return structuredClone(this.#states());
  }

  #states(): State[] {
    return this.#followers.map(({ state }) => state);
  }
}

/** Expects that clients hold what fresh ones are told. */
function expectAsFresh(
  compared: typeof clients,
  followers: readonly Follower[],
  fresh: readonly Follower[],
): void {
  for (const [at, client] of compared.entries()) {
    const followed = required(followers[clients.indexOf(client)]).state;
    const started = required(fresh[at]).state;
    expect(shown(followed), `${client.name}, ${client.kind}`).toEqual(asFollowed(started, followed));
  }
}

function expectChanged(before: Held, after: Held): void {
  for (const kinds of groupsOfKinds) {
    const theirs = (held: Held) => held.filter((_, at) => kinds.includes(required(clients[at]).kind));
    expect(theirs(after), 'an action that changes nothing proves nothing').not.toEqual(theirs(before));
  }
}

/** Starts some of `clients`, in their order. */
async function startAll(people: TestRealm, chosen = clients): Promise<Follower[]> {
  const kindsOf = (viewer: Viewer) => chosen.filter(({ name }) => name === viewer).map(({ kind }) => kind);
  const names = viewers.filter((name) => kindsOf(name).length > 0);
  return (await Promise.all(names.map((name) => followAs(people[name], kindsOf(name))))).flat();
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Nobody follows.');
  return value;
}

function kindsForClients(): string[] {
  const notOps = ['type', 'schema', 'sent', 'forClient', 'forQueue', 'countMax', 'also'];
  return Object.values(events)
    .filter(({ type }) => !forNodes.includes(type))
    .flatMap((family) => {
      const ops = Object.keys(family).filter((key) => !notOps.includes(key));
      // Of families of their own it is known already.
      const also = ('also' in family ? (family.also ?? []) : []).filter((type) => type !== 'subscription');
      return [...(ops.length > 0 ? ops.map((op) => `${family.type} ${op}`) : [family.type]), ...also];
    })
    .filter((kind) => !ofNobody.includes(kind))
    .sort();
}

/** What only nodes read. */
const forNodes = ['key_regenerated', 'realm_renamed', 'room'];

/** After these nobody starts afresh. */
const ofNobody = ['realm deactivated'];

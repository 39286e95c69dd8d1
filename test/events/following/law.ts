import { kindOf } from '@parley/client';
import { events } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type TestRealm, realm } from '../../support/index.ts';
import { actions } from '../actions/index.ts';
import { type ClientKind, asFollowed, follow, missedKinds, shown } from '../follower/index.ts';
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
 * The law of events, for every action, as every viewer: a client of any kind that follows ends where a fresh one starts.
 * And what nobody said to have changed is decided as before.
 */
export function testFollowing(): void {
  const told = { modern: kindsOfEvents(), oldest: kindsOfEvents() };

  // What happens is the costly part: clients of all kinds follow the same.
  test.each(Object.entries(actions))(
    '%s: clients that follow end where fresh ones start',
    async (_, action) => {
      const people = await realm();
      const decisions = watchDecisions(people);
      const act = await action(decisions.people);
      const groups = await Promise.all(clientKinds.map((kind) => followAll(people, kind)));

      await decisions.begin();

      await act();
      await decisions.compare();
      for (const group of groups) {
        const { kind, followers, before } = group;
        const events = await Promise.all(followers.map((follower) => follower.catchUp()));
        for (const event of events.flat()) told[kind].heard.add(kindOf(event));
        const missed = before.flatMap((state, index) => [...missedKinds(state, events[index] ?? [])]);
        for (const one of missed) told[kind].missed.add(one);
        expect(missed, `were its events lost, nobody would miss them (${kind})`).not.toEqual([]);
        await checkAgainstFresh(people, group);
      }
    },
  );

  describe.each(clientKinds)('a client of the %s kind', (kind) => {
    const { neverHeard, neverMissed } = exceptions[kind];

    test('followed every kind of event that such clients are sent', () => {
      const known = kindsForClients().filter((one) => !neverHeard.includes(one));
      expect([...told[kind].heard].sort()).toEqual(known);
    });

    test('would have missed an event of any kind, were it lost', () => {
      const { heard, missed } = told[kind];
      expect([...heard].filter((one) => !missed.has(one)).sort()).toEqual([...neverMissed].sort());
    });
  });
}

const startAll = (people: TestRealm, kind: ClientKind) =>
  Promise.all(viewers.map((name) => follow(people[name], kind)));

/** Clients of a kind, one of each viewer, with what they hold before anything happens. */
async function followAll(people: TestRealm, kind: ClientKind) {
  const followers = await startAll(people, kind);
  return { kind, followers, before: structuredClone(followers.map(({ state }) => state)) };
}

async function checkAgainstFresh(
  people: TestRealm,
  { kind, followers, before }: Awaited<ReturnType<typeof followAll>>,
): Promise<void> {
  const fresh = await startAll(people, kind);
  for (const [index, name] of viewers.entries()) {
    const [followed, started] = [followers[index]?.state, fresh[index]?.state];
    if (!followed || !started) throw new Error(`Nobody followed as ${name}.`);
    expect(shown(followed), `${name}, ${kind}`).toEqual(asFollowed(started, followed));
  }
  const after = followers.map(({ state }) => state);
  expect(after, 'an action that changes nothing proves nothing').not.toEqual(before);
}

function kindsForClients(): string[] {
  const notOps = ['type', 'schema', 'sent', 'forClient', 'forQueue', 'also'];
  return Object.values(events)
    .filter(({ type }) => type !== 'key_regenerated' && type !== 'realm_renamed')
    .flatMap((family) => {
      const ops = Object.keys(family).filter((key) => !notOps.includes(key));
      const also = 'also' in family ? (family.also ?? []) : [];
      return [...(ops.length > 0 ? ops.map((op) => `${family.type} ${op}`) : [family.type]), ...also];
    })
    .filter((kind) => !ofNobody.includes(kind))
    .sort();
}

/** After these nobody starts afresh. */
const ofNobody = ['realm deactivated'];

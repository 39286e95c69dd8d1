import { kindOf } from '@parley/client';
import { events } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { realm } from '../../support/index.ts';
import { actions } from '../actions/index.ts';
import { type ClientKind, asFollowed, follow, missedKinds, shown } from '../follower/index.ts';

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

/** The law of events, for every action, as every viewer: a client that follows ends where a fresh one starts. */
export function testFollowing(kind: ClientKind, { neverHeard, neverMissed }: Exceptions): void {
  const heard = new Set<string>();
  /** Kinds without which some client would have ended elsewhere, had they been lost. */
  const missed = new Set<string>();

  describe(`a client of the ${kind} kind that follows`, () => {
    test.each(Object.entries(actions))('%s ends where a fresh one starts', async (_, action) => {
      const people = await realm();
      const act = await action(people);
      const followers = await Promise.all(viewers.map((name) => follow(people[name], kind)));
      const before = structuredClone(followers.map(({ state }) => state));

      await act();
      let isMissed = false;
      for (const [index, follower] of followers.entries()) {
        const state = before[index];
        const events = await follower.catchUp();
        for (const event of events) heard.add(kindOf(event));
        for (const one of state ? missedKinds(state, events) : []) {
          missed.add(one);
          isMissed = true;
        }
      }
      expect(isMissed, 'were its events lost, nobody would miss them').toBe(true);

      const fresh = await Promise.all(viewers.map((name) => follow(people[name], kind)));
      for (const [index, name] of viewers.entries()) {
        const [followed, started] = [followers[index]?.state, fresh[index]?.state];
        if (!followed || !started) throw new Error(`Nobody followed as ${name}.`);
        expect(shown(followed), name).toEqual(asFollowed(started, followed));
      }
      const after = followers.map(({ state }) => state);
      expect(after, 'an action that changes nothing proves nothing').not.toEqual(before);
    });
  });

  test('every kind of event that such clients are sent was followed', () => {
    expect([...heard].sort()).toEqual(kindsForClients().filter((one) => !neverHeard.includes(one)));
  });

  test('an event of any kind, were it lost, would be missed by this very test', () => {
    expect([...heard].filter((one) => !missed.has(one)).sort()).toEqual([...neverMissed].sort());
  });
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

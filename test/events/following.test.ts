import { events } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { realm } from '../support/index.ts';
import { actions } from './actions.ts';
import { type ClientKind, clients, follow, kindOf } from './follower.ts';

/** Who looks on: each sees another part of what happens. */
const viewers = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;

const heard = new Set<string>();

describe.each(Object.keys(clients) as ClientKind[])('a client of the %s kind that follows', (kind) => {
  test.each(Object.entries(actions))('%s ends where a fresh one starts', async (_, action) => {
    const people = await realm();
    const act = await action(people);
    const followers = await Promise.all(viewers.map((name) => follow(people[name], kind)));
    const before = structuredClone(followers.map(({ state }) => state));

    await act();
    for (const follower of followers) {
      for (const event of await follower.catchUp()) heard.add(kindOf(event));
    }

    const fresh = await Promise.all(viewers.map((name) => follow(people[name], kind)));
    for (const [index, name] of viewers.entries()) {
      expect(followers[index]?.state, name).toEqual(fresh[index]?.state);
    }
    const after = followers.map(({ state }) => state);
    expect(after, 'an action that changes nothing proves nothing').not.toEqual(before);
  });
});

test('every kind of event that clients are sent was followed', () => {
  const notOps = ['type', 'schema', 'forClient', 'forQueue'];
  const kinds = Object.values(events)
    // For the nodes alone.
    .filter(({ type }) => type !== 'key_regenerated')
    .flatMap((family) => {
      const ops = Object.keys(family).filter((key) => !notOps.includes(key));
      return ops.length > 0 ? ops.map((op) => `${family.type} ${op}`) : [family.type];
    });
  expect([...heard].sort()).toEqual(kinds.sort());
});

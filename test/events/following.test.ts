import { describe, expect, test } from 'vitest';

import { realm } from '../support/index.ts';
import { actions } from './actions.ts';
import { type ClientKind, clients, follow } from './follower.ts';

/** Who looks on: each sees another part of what happens. */
const viewers = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;

describe.each(Object.keys(clients) as ClientKind[])('a client of the %s kind that follows', (kind) => {
  test.each(Object.entries(actions))('%s ends where a fresh one starts', async (_, action) => {
    const people = await realm();
    const act = await action(people);
    const followers = await Promise.all(viewers.map((name) => follow(people[name], kind)));
    const before = structuredClone(followers.map(({ state }) => state));

    await act();
    for (const follower of followers) await follower.catchUp();

    const fresh = await Promise.all(viewers.map((name) => follow(people[name], kind)));
    for (const [index, name] of viewers.entries()) {
      expect(followers[index]?.state, name).toEqual(fresh[index]?.state);
    }
    const after = followers.map(({ state }) => state);
    expect(after, 'an action that changes nothing proves nothing').not.toEqual(before);
  });
});

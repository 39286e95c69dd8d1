import { events } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type TestRealm, realm } from '../support/index.ts';
import { actions } from './actions.ts';
import { type ClientKind, asFollowed, clients, follow, kindOf } from './follower.ts';

/** Who looks on: each sees another part of what happens. */
const viewers = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;

type Viewer = (typeof viewers)[number];

interface Step {
  by: Viewer;
  what: string;
  name: string;
  others: Viewer[];
}

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
      const [followed, started] = [followers[index]?.state, fresh[index]?.state];
      if (!followed || !started) throw new Error(`Nobody followed as ${name}.`);
      expect(followed, name).toEqual(asFollowed(started, followed));
    }
    const after = followers.map(({ state }) => state);
    expect(after, 'an action that changes nothing proves nothing').not.toEqual(before);
  });
});

const step = fc.record({
  by: fc.constantFrom(...viewers),
  what: fc.constantFrom('public', 'private', 'send', 'send', 'direct', 'join'),
  name: fc.constantFrom('a', 'b'),
  others: fc.subarray([...viewers]),
});

/** Some are refused, as of a channel that is not there yet: what happens depends on who comes first. */
async function take(people: TestRealm, { by, what, name, others }: Step): Promise<void> {
  const actor = people[by];
  const ids = others.map((other) => people[other].id);
  if (what === 'join') await people.join({ name: 'Newcomer', email: `${Math.random()}@example.com` });
  else if (what === 'direct') await actor.post('/messages', { type: 'direct', to: ids, content: 'x' });
  else if (what === 'send') {
    await actor.post('/messages', { type: 'channel', to: name, topic: 't', content: 'x' });
  } else {
    const params = { subscriptions: [{ name }], principals: ids, invite_only: what === 'private' };
    await actor.post('/users/me/subscriptions', params);
  }
}

test('whatever happens at the same moment, followers end where fresh clients start', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const people = await realm();
      const followers = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      await Promise.all(steps.map((one) => take(people, one)));
      for (const follower of followers) await follower.catchUp();
      const fresh = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      for (const [index, { state }] of fresh.entries()) {
        const followed = followers[index]?.state ?? state;
        expect(followed, viewers[index]).toEqual(asFollowed(state, followed));
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

test('every kind of event that clients are sent was followed', () => {
  const notOps = ['type', 'schema', 'forClient', 'forQueue', 'also'];
  const kinds = Object.values(events)
    // For the nodes alone.
    .filter(({ type }) => type !== 'key_regenerated')
    .flatMap((family) => {
      const ops = Object.keys(family).filter((key) => !notOps.includes(key));
      const also = 'also' in family ? (family.also ?? []) : [];
      return [...(ops.length > 0 ? ops.map((op) => `${family.type} ${op}`) : [family.type]), ...also];
    });
  expect([...heard].sort()).toEqual(kinds.sort());
});

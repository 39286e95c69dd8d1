import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type TestRealm, realm, subscribe } from '../../support/index.ts';
import { letSee } from '../actions/guests.ts';
import { asFollowed, follow, shown } from '../follower/index.ts';
import { type Viewer, viewers } from './law.ts';

interface Step {
  by: Viewer;
  what: string;
  name: string;
  others: Viewer[];
  change: string;
}

const step = fc.record({
  by: fc.constantFrom(...viewers),
  what: fc.constantFrom('public', 'private', 'send', 'send', 'direct', 'join', 'leave', 'edit', 'edit'),
  name: fc.constantFrom('a', 'b'),
  others: fc.subarray([...viewers]),
  change: fc.constantFrom('hide', 'show', 'archive', 'restore', 'rename', 'admit'),
});

/** Some are refused, as of a channel that is not there yet: what happens depends on who comes first. */
async function take(people: TestRealm, { by, what, name, others, change }: Step): Promise<void> {
  const actor = people[by];
  const ids = others.map((other) => people[other].id);
  if (what === 'edit') return await editChannel(people, name, change, ids);
  if (what === 'leave') {
    await actor.delete('/users/me/subscriptions', { subscriptions: [name], principals: ids });
    return;
  }
  if (what === 'join') await people.join({ name: 'Newcomer', email: `${Math.random()}@example.com` });
  else if (what === 'direct') await actor.post('/messages', { type: 'direct', to: ids, content: 'x' });
  else if (what === 'send') {
    await actor.post('/messages', { type: 'channel', to: name, topic: 't', content: 'x' });
  } else {
    const params = { subscriptions: [{ name }], principals: ids, invite_only: what === 'private' };
    await actor.post('/users/me/subscriptions', params);
  }
}

/** By someone who may do anything, as far as the channel is there. */
async function editChannel({ owner }: TestRealm, name: string, change: string, ids: number[]): Promise<void> {
  const { stream_id } = await owner.get('/get_stream_id', { stream: name });
  if (stream_id === undefined) return;
  const changes: Record<string, Record<string, unknown>> = {
    hide: { is_private: true },
    show: { is_private: false },
    restore: { is_archived: false },
    rename: { new_name: name.toUpperCase(), description: `${ids.length}` },
    admit: { can_subscribe_group: { new: { direct_members: ids, direct_subgroups: [] } } },
  };
  if (change === 'archive') await owner.delete(`/streams/${stream_id}`);
  else await owner.patch(`/streams/${stream_id}`, changes[change] ?? {});
}

test('whatever happens at the same moment, followers end where fresh clients start', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 3, maxLength: 14 }), async (sees, steps) => {
      const people = await realm();
      if (!sees) await letSee(people.owner, 'role:members');
      await subscribe(people.owner, 'a', [people.owner, people.alice, people.guest]);
      const followers = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      await Promise.all(steps.map((one) => take(people, one)));
      for (const follower of followers) await follower.catchUp();
      const fresh = await Promise.all(viewers.map((name) => follow(people[name], 'modern')));
      for (const [index, { state }] of fresh.entries()) {
        const followed = followers[index]?.state ?? state;
        expect(shown(followed), viewers[index]).toEqual(asFollowed(state, followed));
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

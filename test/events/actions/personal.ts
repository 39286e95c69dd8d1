import { type Person, createChannel, succeed } from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';

const note = (content: string) => ({ type: '', to: [], topic: '', content });

export const keepDrafts = async (by: Person, ...drafts: object[]): Promise<number[]> =>
  (await succeed(by.post('/drafts', { drafts }))).ids;

/** What people keep for themselves. */
export const actions: Actions = {
  async 'drafts, written, changed, thrown away, and kept off the server'({ alice, bob, guest }) {
    const id = await createChannel(alice, 'plans', [alice, bob]);
    const [first = 0, second = 0] = await keepDrafts(alice, note('one'), note('two'));
    await keepDrafts(bob, note('three'), note('four'));
    return async () => {
      await keepDrafts(alice, { type: 'stream', to: [id], topic: 'x', content: 'four' }, note('five'));
      await keepDrafts(guest, { type: 'private', to: [alice.id, bob.id], topic: '', content: 'six' });
      await succeed(
        alice.patch(`/drafts/${first}`, { draft: { ...note('seven'), timestamp: 1_500_000_000 } }),
      );
      await succeed(alice.delete(`/drafts/${second}`));
      await succeed(bob.patch('/settings', { enable_drafts_synchronization: false }));
    };
  },
};

const drafts = 'drafts, written, changed, thrown away, and kept off the server';

export const exercised: Exercised = {
  'actions/drafts/create': drafts,
  'actions/drafts/edit': drafts,
  'actions/drafts/remove': drafts,
};

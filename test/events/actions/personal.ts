import { type Person, createChannel, succeed } from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const note = (content: string) => ({ type: '', to: [], topic: '', content });

const keepDrafts = async (by: Person, ...drafts: object[]): Promise<number[]> =>
  (await succeed(by.post('/drafts', { drafts }))).ids;

/** What people keep for themselves. */
export const actions: Actions = {
  'drafts, written, changed, thrown away, and kept off the server': inNewRealm(
    async ({ alice, bob, guest }) => {
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
  ),

  async 'snippets, views and notices of one’s own'({ alice, bob, guest }) {
    const make = async (by: Person, title: string): Promise<number> =>
      (await succeed(by.post('/saved_snippets', { title, content: title }))).saved_snippet_id;
    const see = (by: Person, fragment: string, name?: string) =>
      succeed(by.post('/navigation_views', { fragment, is_pinned: true, name }));
    const [kept, dropped] = [await make(alice, 'kept'), await make(alice, 'dropped')];
    await see(alice, 'narrow/is/starred');
    await see(bob, 'narrow/channel/1', 'First');
    return async () => {
      await make(guest, 'new');
      await succeed(alice.patch(`/saved_snippets/${kept}`, { title: 'changed' }));
      await succeed(alice.delete(`/saved_snippets/${dropped}`));
      await see(guest, 'inbox');
      await succeed(alice.delete('/navigation_views/narrow%2Fis%2Fstarred'));
      await succeed(bob.patch('/navigation_views/narrow/channel/1', { is_pinned: false, name: 'One' }));
      await succeed(bob.post('/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }));
    };
  },
};

const own = 'snippets, views and notices of one’s own';
const drafts = 'drafts, written, changed, thrown away, and kept off the server';

export const exercised: Exercised = {
  'actions/push-tokens/add': null,
  'actions/push-tokens/remove': null,
  'actions/push-tokens/subscribe': null,
  'actions/bot-storage/put': null,
  'actions/bot-storage/remove': null,
  'actions/drafts/create': drafts,
  'actions/drafts/edit': drafts,
  'actions/drafts/remove': drafts,
  'actions/navigation-views/create': own,
  'actions/navigation-views/edit': own,
  'actions/navigation-views/remove': own,
  'actions/onboarding-steps/mark-seen': own,
  'actions/saved-snippets/create': own,
  'actions/saved-snippets/edit': own,
  'actions/saved-snippets/remove': own,
};

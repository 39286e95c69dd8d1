import { type Person, succeed } from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const make = async (by: Person, what: string): Promise<number> =>
  (
    await succeed(
      by.post('/realm/filters', { pattern: `${what}-(?P<n>[0-9]+)`, url_template: 'https://ex.org/{n}' }),
    )
  )['id'];

const makePlayground = async (by: Person, name: string): Promise<number> =>
  (
    await succeed(
      by.post('/realm/playgrounds', {
        name,
        pygments_language: 'Python',
        url_template: 'https://ex.org/{code}',
      }),
    )
  )['id'];

/** What the organization makes of texts. */
export const actions: Actions = {
  // The oldest clients are shown no linkifiers: with them, playgrounds change.
  async 'making and removing linkifiers and playgrounds'({ owner, admin }) {
    const [linkifier, playground] = [await make(owner, 'old'), await makePlayground(owner, 'Old')];
    await succeed(owner.patch('/realm', { default_code_block_language: 'Python' }));
    return async () => {
      await make(admin, 'new');
      await makePlayground(admin, 'New');
      await succeed(owner.delete(`/realm/filters/${linkifier}`));
      await succeed(owner.delete(`/realm/playgrounds/${playground}`));
    };
  },

  'changing and ordering linkifiers': inNewRealm(async ({ owner, admin }) => {
    const [one, two] = [await make(owner, 'one'), await make(owner, 'two')];
    return async () => {
      await succeed(owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [two, one] }));
      await succeed(
        admin.patch(`/realm/filters/${one}`, { pattern: 'uno', url_template: 'https://ex.org/1' }),
      );
      // As they are already: nobody is told.
      await succeed(owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [two, one] }));
      await makePlayground(admin, 'New');
    };
  }),

  'two administrators making linkifiers and playgrounds at once': inNewRealm(async ({ owner, admin }) => {
    return () =>
      Promise.all([
        make(owner, 'one'),
        make(admin, 'two'),
        makePlayground(owner, 'One'),
        makePlayground(admin, 'Two'),
      ]);
  }),
};

export const exercised: Exercised = {
  'actions/linkifiers/create': 'making and removing linkifiers and playgrounds',
  'actions/linkifiers/edit': 'changing and ordering linkifiers',
  'actions/linkifiers/remove': 'making and removing linkifiers and playgrounds',
  'actions/linkifiers/reorder': 'changing and ordering linkifiers',
  'actions/playgrounds/create': 'making and removing linkifiers and playgrounds',
  'actions/playgrounds/remove': 'making and removing linkifiers and playgrounds',
  'model/linkifiers/present': 'making and removing linkifiers and playgrounds',
  'model/playgrounds/present': 'making and removing linkifiers and playgrounds',
};

import { describe, expect, test } from 'vitest';

import { type Person, done, outcomeOf, realm, refused } from '../support/index.ts';

const add = (by: Person, fragment: string, name?: string) =>
  by.post('/navigation_views', { fragment, is_pinned: true, name });

describe('navigation views', () => {
  test('are added, pinned, renamed and removed, and their owner’s clients are told', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    expect(await add(alice, 'narrow/is/starred')).toEqual(done);
    expect(await add(alice, 'narrow/is/followed', 'Followed')).toEqual(done);
    expect(await alice.patch('/navigation_views/narrow/is/starred', { is_pinned: false })).toEqual(done);
    const rename = { name: ' Mine ', is_pinned: true };
    expect(await alice.patch('/navigation_views/narrow%2Fis%2Ffollowed', rename)).toEqual(done);
    expect(await alice.patch('/navigation_views/narrow%2Fis%2Ffollowed')).toEqual(done);
    const views = [
      { fragment: 'narrow/is/starred', is_pinned: false },
      { fragment: 'narrow/is/followed', is_pinned: true, name: 'Mine' },
    ];
    expect(await alice.get('/navigation_views')).toEqual({ ...done, navigation_views: views });
    const { navigation_views } = await alice.post('/register', { fetch_event_types: ['navigation_views'] });
    expect(navigation_views).toEqual(views);
    expect(await alice.delete('/navigation_views/narrow%2Fis/starred')).toEqual(done);
    expect(await phone.hears()).toMatchObject([
      {
        type: 'navigation_view',
        op: 'add',
        navigation_view: { fragment: 'narrow/is/starred', is_pinned: true },
      },
      { type: 'navigation_view', op: 'add', navigation_view: { name: 'Followed' } },
      { type: 'navigation_view', op: 'update', fragment: 'narrow/is/starred', data: { is_pinned: false } },
      { type: 'navigation_view', op: 'update', fragment: 'narrow/is/followed', data: { name: 'Mine' } },
      { type: 'navigation_view', op: 'remove', fragment: 'narrow/is/starred' },
    ]);
    expect((await bob.get('/navigation_views')).navigation_views).toEqual([]);
  });

  test('have a name unless clients have them by themselves, and each its own', async () => {
    const { alice, bob } = await realm();
    const [builtIn, exists] = ['A built-in view cannot be renamed.', 'This navigation view already exists.'];
    const nameless = 'Enter a name for this view.';
    const renamed = async (fragment: string, name: string) =>
      outcomeOf(await alice.patch(`/navigation_views/${fragment}`, { name }));
    expect(outcomeOf(await add(alice, 'inbox', 'Mine'))).toBe(builtIn);
    expect(outcomeOf(await add(alice, 'narrow/x'))).toBe(nameless);
    expect(outcomeOf(await add(alice, 'narrow/x', ' '))).toBe(nameless);
    expect(outcomeOf(await add(alice, ' ', 'Blank'))).toBe('fragment cannot be empty.');
    expect(outcomeOf(await add(alice, 'narrow/x', 'X'))).toBe('ok');
    expect(outcomeOf(await add(alice, 'narrow/x', 'Y'))).toBe(exists);
    expect(outcomeOf(await add(alice, 'narrow/y', 'X'))).toBe(exists);
    expect(outcomeOf(await add(bob, 'narrow/y', 'X'))).toBe('ok');
    expect(outcomeOf(await add(alice, 'inbox'))).toBe('ok');
    expect(outcomeOf(await add(alice, 'inbox'))).toBe(exists);
    expect(await renamed('inbox', 'Mine')).toBe(builtIn);
    expect(await renamed('narrow/x', 'X')).toBe(exists);
    expect(await renamed('narrow/x', '')).toBe(nameless);
  });

  test('navigation views that do not exist are not found', async () => {
    const { alice, bob } = await realm();
    await add(bob, 'narrow/x', 'X');
    const missing = refused('This navigation view does not exist.', 'NOT_FOUND');
    for (const reply of [
      await alice.ask('PATCH', '/navigation_views/narrow/x', { is_pinned: true }),
      await alice.ask('DELETE', '/navigation_views/narrow/x'),
    ]) {
      expect([reply.status, reply.body]).toEqual([404, missing]);
    }
    expect(outcomeOf(await alice.delete('/navigation_views/a%00'))).toBe(
      'fragment contains a null character.',
    );
  });

  test('are bounded in number, also when they are added at once', async () => {
    const { alice } = await realm();
    const outcomes: string[] = [];
    for (let page = 0; page < 10; page += 1) {
      const adding = Array.from({ length: 51 }, (_, index) =>
        add(alice, `n/${page}/${index}`, `${page} ${index}`),
      );
      for (const reply of await Promise.all(adding)) outcomes.push(outcomeOf(reply));
    }
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(500);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'You can have at most 500 navigation views.']));
  });
});

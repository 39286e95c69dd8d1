import { describe, expect, test } from 'vitest';

import { type Json, type Person, realm, succeed } from '../support/index.ts';

const url_template = 'https://ex.org/?code={code}';

const make = (by: Person, name: string, more: object = {}): Promise<Json> =>
  by.post('/realm/playgrounds', { name, pygments_language: 'Python', url_template, ...more });

const listed = async (by: Person): Promise<Json[]> =>
  (await by.listen({ fetch_event_types: ['realm_playgrounds'] })).registered.realm_playgrounds;

describe('the playgrounds of an organization', () => {
  test('are made and removed, and everyone is told all of them', async () => {
    const { admin, guest } = await realm();
    const phone = await guest.listen({ event_types: ['realm_playgrounds'] });
    const { id } = await succeed(make(admin, ' One '));
    const { id: other } = await succeed(make(admin, 'One', { pygments_language: 'C++ / .#-' }));
    const one = { id, name: 'One', pygments_language: 'Python', url_template };
    const two = { ...one, id: other, pygments_language: 'C++ / .#-' };
    expect(await listed(guest)).toEqual([one, two]);
    await succeed(admin.delete(`/realm/playgrounds/${id}`));
    expect(await listed(guest)).toEqual([two]);
    expect((await phone.hears()).map((event) => event['realm_playgrounds'])).toEqual([
      [one],
      [one, two],
      [two],
    ]);
  });

  test.each([
    ['name', { name: ' ' }, /^Enter something/],
    ['pygments_language', { pygments_language: '' }, /^Enter something/],
    ['pygments_language', { pygments_language: 'a$b' }, /^Use only letters, digits/],
    ['url_template', { url_template: 'https://ex.org/{code' }, /^Enter a valid URL template\.$/],
    ['url_template', { url_template: 'https://ex.org/' }, /needs the variable \{code\}/],
    ['url_template', { url_template: 'https://ex.org/{code}{more}' }, /no variable but \{code\}/],
    ['__all__', { name: 'One' }, /^There is already/],
  ])('are refused with what is wrong with %s: %o', async (field, wrong, text) => {
    const { admin } = await realm();
    await succeed(make(admin, 'One'));
    expect(await make(admin, 'Two', wrong)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringMatching(text),
      errors: { [field]: [expect.stringMatching(text)] },
    });
    expect(await listed(admin)).toHaveLength(1);
  });

  test('have languages with names of some length', async () => {
    const { admin } = await realm();
    expect(await make(admin, 'One', { pygments_language: 'x'.repeat(41) })).toMatchObject({
      msg: 'pygments_language can have at most 40 characters.',
    });
  });

  test('are no business of another organization', async () => {
    const [{ admin }, { admin: stranger }] = [await realm(), await realm()];
    const { id } = await succeed(make(admin, 'One'));
    const missing = { code: 'BAD_REQUEST', msg: 'This code playground does not exist.' };
    expect(await stranger.delete(`/realm/playgrounds/${id}`)).toMatchObject(missing);
    expect(await listed(stranger)).toEqual([]);
    expect(await listed(admin)).toHaveLength(1);
  });

  test('take with them that code is of their language where it does not say', async () => {
    const { owner, admin } = await realm();
    const languageOf = async () =>
      (await admin.listen({ fetch_event_types: ['realm'] })).registered.realm_default_code_block_language;
    const [python, ruby] = [
      (await succeed(make(admin, 'One')))['id'],
      (await succeed(make(admin, 'Two', { pygments_language: 'Ruby' })))['id'],
    ];
    await succeed(owner.patch('/realm', { default_code_block_language: 'Python' }));
    const phone = await admin.listen({ event_types: ['realm'] });
    await succeed(admin.delete(`/realm/playgrounds/${ruby}`));
    expect(await languageOf()).toBe('Python');
    await succeed(admin.delete(`/realm/playgrounds/${python}`));
    expect(await languageOf()).toBe('');
    expect(await phone.hears()).toMatchObject([
      { op: 'update', property: 'default_code_block_language', value: '' },
    ]);
  });
});

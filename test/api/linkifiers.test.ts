import { describe, expect, test } from 'vitest';

import { type Json, type Person, realm, succeed } from '../support/index.ts';

const template = 'https://ex.org/{n}';

const make = (by: Person, pattern: string, url_template = template): Promise<Json> =>
  by.post('/realm/filters', { pattern, url_template });

const makeCases = async (by: Person, what = 'case'): Promise<number> =>
  (await succeed(make(by, `${what}-(?P<n>[0-9]+)`)))['id'];

const patternsOf = async (by: Person): Promise<string[]> =>
  (await by.get('/realm/linkifiers')).linkifiers.map(({ pattern }: Json) => pattern);

describe('the linkifiers of an organization', () => {
  test('are made, changed, put in order and removed, and everyone is told all of them', async () => {
    const { admin, guest } = await realm();
    const client_capabilities = { notification_settings_null: true, linkifier_url_template: true };
    const phone = await guest.listen({ event_types: ['realm_linkifiers'], client_capabilities });

    const one = await makeCases(admin);
    const two = await makeCases(admin, 'bug');
    await succeed(admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [two, one] }));
    const changed = { pattern: 'wiki', url_template: 'https://ex.org/wiki' };
    await succeed(admin.patch(`/realm/filters/${one}`, changed));

    const list = [
      { id: two, pattern: 'bug-(?P<n>[0-9]+)', url_template: template },
      { id: one, ...changed },
    ];
    expect((await guest.get('/realm/linkifiers')).linkifiers).toEqual(list);
    const { registered } = await guest.listen({
      fetch_event_types: ['realm_linkifiers', 'realm_filters'],
      client_capabilities,
    });
    expect(registered).toMatchObject({ realm_linkifiers: list, realm_filters: [] });
    await succeed(admin.delete(`/realm/filters/${two}`));
    const told = (await phone.hears()).map((event) => event['realm_linkifiers'].map(({ id }: Json) => id));
    expect(told).toEqual([[one], [one, two], [two, one], [two, one], [one]]);
  });

  test('are nothing to a client that cannot read their templates', async () => {
    const { admin, alice } = await realm();
    const phone = await alice.listen({ event_types: ['realm_linkifiers'] });
    await makeCases(admin);
    expect(await phone.hears()).toEqual([]);
    const { registered } = await alice.listen({ fetch_event_types: ['realm_linkifiers'] });
    expect(registered.realm_linkifiers).toEqual([]);
  });

  test('linkifiers that stay as they are are sent to nobody', async () => {
    const { admin, alice } = await realm();
    const [one, two] = [await makeCases(admin), await makeCases(admin, 'bug')];
    const phone = await alice.listen({
      client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    });
    await succeed(
      admin.patch(`/realm/filters/${one}`, { pattern: 'case-(?P<n>[0-9]+)', url_template: template }),
    );
    await succeed(admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [one, two] }));
    expect(await phone.hears()).toEqual([]);
  });

  test.each([
    ['a(', template, 'pattern', /^Bad regular expression: /],
    ['(?=a)(?P<n>b)', template, 'pattern', /^Bad regular expression: /],
    [' ', template, 'pattern', /^Enter something/],
    ['a(?P<n>b)', '', 'url_template', /^Enter something/],
    ['a(?P<n>b)', 'https://ex.org/{n', 'url_template', /^Enter a valid URL template\.$/],
    [
      'a(?P<n>b)',
      'https://ex.org/{n}/{m}',
      '__all__',
      /^Group 'm' in URL template is not present in linkifier pattern\.$/,
    ],
    [
      'a(?P<n>b)',
      'https://ex.org/',
      '__all__',
      /^Group 'n' in linkifier pattern is not present in URL template\.$/,
    ],
    ['case-(?P<n>[0-9]+)', template, '__all__', /^There is already/],
  ])('are refused with what is wrong: %s to %s', async (pattern, url_template, field, text) => {
    const { admin } = await realm();
    await makeCases(admin);
    const id = await makeCases(admin, 'bug');
    const refusal = {
      code: 'BAD_REQUEST',
      msg: expect.stringMatching(text),
      errors: { [field]: [expect.stringMatching(text)] },
    };
    expect(await make(admin, pattern, url_template)).toMatchObject(refusal);
    expect(await admin.patch(`/realm/filters/${id}`, { pattern, url_template })).toMatchObject(refusal);
    expect(await patternsOf(admin)).toEqual(['case-(?P<n>[0-9]+)', 'bug-(?P<n>[0-9]+)']);
  });

  test('are put in an order only where all of them are named once', async () => {
    const { admin } = await realm();
    const [one, two] = [await makeCases(admin), await makeCases(admin, 'bug')];
    const order = (ordered_linkifier_ids: number[]) =>
      admin.patch('/realm/linkifiers', { ordered_linkifier_ids });
    const twice = { msg: 'List every linkifier only once.' };
    const notAll = { msg: 'List every linkifier exactly once.' };
    expect(await order([one, two, one])).toMatchObject(twice);
    expect(await order([one])).toMatchObject(notAll);
    expect(await order([one, two, two + 1000])).toMatchObject(notAll);
    expect(await order([one, two + 1000])).toMatchObject(notAll);
  });

  test('are no business of another organization', async () => {
    const [{ admin }, { admin: stranger }] = [await realm(), await realm()];
    const id = await makeCases(admin);
    const missing = { code: 'BAD_REQUEST', msg: 'This linkifier does not exist.' };
    expect(await stranger.delete(`/realm/filters/${id}`)).toMatchObject(missing);
    expect(await stranger.patch(`/realm/filters/${id}`, { pattern: 'a', url_template: 'b' })).toMatchObject(
      missing,
    );
    expect(await admin.delete('/realm/filters/2147483648')).toMatchObject(missing);
    expect(await patternsOf(stranger)).toEqual([]);
    expect(await patternsOf(admin)).toHaveLength(1);
  });

  test('are not more than can be read', async () => {
    const { admin } = await realm();
    expect(await make(admin, 'x'.repeat(1001), 'https://ex.org')).toMatchObject({
      msg: 'pattern can have at most 1000 characters.',
    });
    expect(await make(admin, 'x', `https://ex.org/${'x'.repeat(2000)}`)).toMatchObject({
      msg: 'url_template can have at most 2000 characters.',
    });
  });
});

describe('links of topics', () => {
  const send = async (by: Person, topic: string): Promise<number> =>
    (await succeed(by.post('/messages', { type: 'channel', to: 'news', topic, content: 'hello' })))['id'];
  const linksOf = async (by: Person, id: number): Promise<Json> =>
    (await by.get(`/messages/${id}`)).message.topic_links;
  const open = async () => {
    const people = await realm();
    const { alice, bob } = people;
    await succeed(
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'news' }],
        principals: [alice.id, bob.id],
      }),
    );
    return people;
  };

  test('come with each message, new and old', async () => {
    const { admin, alice, bob } = await open();
    await makeCases(admin);
    const phone = await bob.listen({ event_types: ['message'] });
    const id = await send(alice, 'case-15, see ex.org/a');
    const links = [
      { text: 'case-15', url: 'https://ex.org/15' },
      { text: 'ex.org/a', url: 'https://ex.org/a' },
    ];
    expect(await linksOf(bob, id)).toEqual(links);
    expect(await phone.hears()).toMatchObject([{ message: { id, topic_links: links } }]);
  });

  test('follow the linkifiers of the moment, in the very next message', async () => {
    const { admin, alice, bob } = await open();
    const before = await send(alice, 'case-15');
    expect(await linksOf(bob, before)).toEqual([]);
    const phone = await bob.listen({ event_types: ['message'] });
    const id = await makeCases(admin);
    await send(alice, 'case-15');
    await succeed(
      admin.patch(`/realm/filters/${id}`, { pattern: 'case', url_template: 'https://ex.org/none' }),
    );
    await send(alice, 'case-15');
    await succeed(admin.delete(`/realm/filters/${id}`));
    await send(alice, 'case-15');
    const told = (await phone.hears()).map(({ message }: Json) => message.topic_links);
    expect(told).toEqual([
      [{ text: 'case-15', url: 'https://ex.org/15' }],
      [{ text: 'case', url: 'https://ex.org/none' }],
      [],
    ]);
  });

  test('are decided by the order where several match', async () => {
    const { admin, alice, bob } = await open();
    const long = await makeCases(admin);
    const short = (await make(admin, 'case', 'https://ex.org/short')).id;
    const id = await send(alice, 'case-15');
    expect(await linksOf(bob, id)).toEqual([{ text: 'case-15', url: 'https://ex.org/15' }]);
    await succeed(admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [short, long] }));
    expect(await linksOf(bob, id)).toEqual([{ text: 'case', url: 'https://ex.org/short' }]);
  });

  test('come with a topic’s new name', async () => {
    const { admin, alice, bob } = await open();
    await makeCases(admin);
    const id = await send(alice, 'lunch');
    const phone = await bob.listen({ event_types: ['update_message'] });
    await succeed(alice.patch(`/messages/${id}`, { topic: 'case-7', propagate_mode: 'change_all' }));
    const links = [{ text: 'case-7', url: 'https://ex.org/7' }];
    expect(await phone.hears()).toMatchObject([{ subject: 'case-7', topic_links: links }]);
    expect(await linksOf(bob, id)).toEqual(links);
  });

  test('are nowhere in direct messages', async () => {
    const { alice, bob } = await open();
    const { id } = await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'ex.org' });
    expect(await linksOf(bob, id)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';

import { type Person, type TestRealm, getWorld, realm } from '../support/index.ts';

const at = async (person: Person, host: string, path = '/users/me') =>
  await person.ask('GET', path, {}, { host });

/** Renames a realm, and says under which host it is found from then on. */
async function rename({ owner }: TestRealm, name: string): Promise<string> {
  const reply = await owner.patch('/realm', { string_id: name });
  expect(reply).toEqual({ result: 'success', msg: '', realm_uri: `http://${name}.localhost:9991` });
  return `${name}.localhost`;
}

const nameOf = ({ realm: { name } }: TestRealm) => `x-${name}`;

describe('another address of the organization', () => {
  test('serves from then on, and the old one leads to it', async () => {
    const people = await realm();
    const { alice, realm: before } = people;
    const host = await rename(people, nameOf(people));
    expect((await at(alice, host)).body.user_id).toBe(alice.id);
    expect((await at(alice, host, '/server_settings')).body.realm_url).toBe(`http://${host}:9991`);
    for (const path of ['/users/me?a=b', '/server_settings']) {
      const { status, headers, body } = await at(alice, before.host, path);
      expect(status, path).toBe(308);
      expect(headers['location']).toBe(`http://${host}:9991/api/v1${path}`);
      expect(body).toEqual({
        result: 'error',
        code: 'NONEXISTENT_SUBDOMAIN',
        msg: `This organization has moved to http://${host}:9991.`,
      });
    }
    const picture = await alice.fetch(`/avatar/${alice.id}`, {}, { host: before.host });
    expect([picture.status, picture.headers['location']]).toEqual([
      308,
      `http://${host}:9991/avatar/${alice.id}`,
    ]);
    const sent = { type: 'direct', to: [alice.id], content: 'x' };
    expect((await alice.ask('POST', '/messages', sent, { host: before.host })).status).toBe(308);
    expect((await alice.ask('POST', '/messages', sent, { host })).body.result).toBe('success');
  });

  test('ends the queues of clients that know the old one', async () => {
    const people = await realm();
    const { alice, bob, realm: before } = people;
    const [phone, laptop] = [await alice.listen(), await bob.listen()];
    await phone.hears();
    await laptop.hears();
    const waiting = laptop.poll();
    const host = await rename(people, nameOf(people));
    const ended = { code: 'BAD_EVENT_QUEUE_ID', queue_id: laptop.queueId };
    expect(await waiting).toMatchObject(ended);
    const asked = { queue_id: phone.queueId, last_event_id: phone.lastEventId, dont_block: true };
    for (const known of [before.host, host]) {
      const { body } = await alice.ask('GET', '/events', asked, { host: known });
      expect(body, known).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    }
  });

  test('keeps the old ones for the organization, which may go back', async () => {
    const [people, others] = [await realm(), await realm()];
    const { owner, alice, realm: before } = people;
    const second = await rename(people, nameOf(people));
    const third = await rename(
      { ...people, owner: { ...owner, patch: (path, params) => patchAt(owner, second, path, params) } },
      `y-${before.name}`,
    );
    for (const old of [before.host, second]) {
      expect((await at(alice, old)).headers['location']).toBe(`http://${third}:9991/api/v1/users/me`);
      const taken = { string_id: old.replace('.localhost', '') };
      expect(await others.owner.patch('/realm', taken)).toMatchObject({ code: 'BAD_REQUEST' });
    }
    const back = await patchAt(owner, third, '/realm', { string_id: before.name });
    expect(back).toMatchObject({ realm_uri: before.url });
    expect((await at(alice, before.host)).body.user_id).toBe(alice.id);
    expect((await at(alice, third)).status).toBe(308);
  });

  test('is for owners to choose', async () => {
    const people = await realm();
    expect(await people.admin.patch('/realm', { string_id: nameOf(people) })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Only owners of the organization can do this.',
    });
  });

  test.each(['', 'ab', 'A-realm', 'with space', '-begins', 'ends-', 'a.b', 'admin', 'x'.repeat(41), 'a\0b'])(
    'cannot be %j',
    async (name) => {
      const { owner } = await realm();
      expect(await owner.patch('/realm', { string_id: name })).toMatchObject({
        code: 'BAD_REQUEST',
        msg: expect.stringMatching(/subdomain|lowercase/),
      });
    },
  );

  test('cannot be that of another, also where two want it at once', async () => {
    const [one, other] = [await realm(), await realm()];
    const wanted = nameOf(one);
    const replies = await Promise.all(
      [one, other].map(({ owner }) => owner.patch('/realm', { string_id: wanted })),
    );
    expect(replies.filter(({ result }) => result === 'success')).toHaveLength(1);
    expect(replies).toContainEqual(
      expect.objectContaining({ msg: 'This subdomain is already in use. Choose another.' }),
    );
  });

  test('is none for the organization at the server’s own address', async () => {
    const people = await realm();
    const { site, startApi } = await getWorld();
    await using node = await startApi({ site: { ...site, rootRealm: people.realm.name } });
    const asked = { string_id: nameOf(people) };
    const reply = await people.owner.ask('PATCH', '/realm', asked, { host: 'localhost', port: node.port });
    expect(reply.body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringMatching(/cannot change its subdomain/),
    });
  });
});

const patchAt = async (who: Person, host: string, path: string, params = {}) =>
  (await who.ask('PATCH', path, params, { host })).body;

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { type Json, type Person, foldersToSweep, realm } from '../support/index.ts';
import { draw } from '../support/pictures.ts';

const file = async (width: number, height: number) => ({
  name: 'a.png',
  content: await draw({ width, height }).png().toBuffer(),
  type: 'image/png',
});

const choose = async (by: Person, path: string, size: [number, number] = [300, 200]): Promise<Json> =>
  (await by.upload(path, [await file(...size)])).body;

const state = async (who: Person): Promise<Json> =>
  await who.post('/register', { fetch_event_types: ['realm'] });

async function pictureAt(by: Person, url: string) {
  const reply = await by.fetch(url, {}, { authorization: null });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
  const { width, height } = await sharp(reply.bytes).metadata();
  return [width, height];
}

describe('the organization’s icon', () => {
  test('is a square picture that everyone is told of, and may see', async () => {
    const { admin, guest, realm: home } = await realm();
    const phone = await guest.listen();
    const { icon_url } = await choose(admin, '/realm/icon');
    expect(icon_url).toMatch(new RegExp(`^/user_avatars/${home.id}/realm/[\\w-]{24}\\.png\\?version=2$`));
    const data = { icon_url, icon_source: 'U' };
    expect(await phone.hears()).toMatchObject([{ type: 'realm', op: 'update_dict', property: 'icon', data }]);
    expect(await state(guest)).toMatchObject({ realm_icon_url: icon_url, realm_icon_source: 'U' });
    expect((await guest.get('/server_settings')).realm_icon).toBe(icon_url);
    expect(await pictureAt(guest, icon_url)).toEqual([100, 100]);
    const { status, headers } = await guest.ask('GET', '/realm/icon');
    expect([status, headers['location']]).toEqual([302, icon_url]);
  });

  test('goes, and its bytes with it', async () => {
    const { owner, guest, realm: home } = await realm();
    const before = (await state(guest)).realm_icon_url;
    const { icon_url } = await choose(owner, '/realm/icon');
    const phone = await guest.listen();
    const removed = await owner.delete('/realm/icon');
    expect(removed.icon_url).toBe(before.replace('version=1', 'version=3'));
    expect(await phone.hears()).toMatchObject([{ data: { icon_url: removed.icon_url, icon_source: 'G' } }]);
    expect(await foldersToSweep(`realm-pictures/${home.id}`)).toEqual([
      icon_url
        .replace('/user_avatars/', 'realm-pictures/')
        .replace('/realm/', '/')
        .replace(/\.png.*/, ''),
    ]);
    expect(await owner.delete('/realm/icon')).toMatchObject(removed);
    expect(await phone.hears()).toEqual([]);
  });
});

describe('the organization’s logos', () => {
  test.each([
    [false, 'logo', 'night_logo'],
    [true, 'night_logo', 'logo'],
  ])('where night is %s, the organization’s logos are the %s alone', async (night, kind, other) => {
    const { admin, guest } = await realm();
    const before = await state(guest);
    const phone = await guest.listen();
    expect(await choose(admin, `/realm/logo?night=${night}`, [1600, 100])).toEqual({
      result: 'success',
      msg: '',
    });
    const after = await state(guest);
    const [url, source] = [after[`realm_${kind}_url`], after[`realm_${kind}_source`]];
    expect(source).toBe('U');
    expect(await pictureAt(guest, url)).toEqual([800, 50]);
    expect(await phone.hears()).toMatchObject([
      { op: 'update_dict', property: kind, data: { [`${kind}_url`]: url, [`${kind}_source`]: 'U' } },
    ]);
    expect(after[`realm_${other}_url`]).toBe(before[`realm_${other}_url`]);
    const location = async (asked: boolean) =>
      (await guest.ask('GET', '/realm/logo', { night: asked })).headers['location'];
    expect([await location(night), await location(!night)]).toEqual([url, before[`realm_${other}_url`]]);

    expect(await admin.delete('/realm/logo', { night })).toEqual({ result: 'success', msg: '' });
    expect((await state(guest))[`realm_${kind}_source`]).toBe('D');
  });

  test('are smaller than their box where the picture is', async () => {
    const { admin, guest } = await realm();
    await choose(admin, '/realm/logo?night=false', [40, 20]);
    expect(await pictureAt(guest, (await state(guest)).realm_logo_url)).toEqual([40, 20]);
  });
});

describe.each(['/realm/icon', '/realm/logo?night=true'])('POST %s', (path) => {
  test('refuses whoever is no administrator, and what is no picture', async () => {
    const { admin, moderator } = await realm();
    expect(await choose(moderator, path)).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    const name = path.includes('icon') ? 'icon' : 'logo';
    const one = await file(9, 9);
    for (const files of [[], [one, one]])
      expect((await admin.upload(path, files)).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: `Upload exactly one ${name}.`,
      });
    const broken = { name: 'a.png', content: 'no picture', type: 'image/png' };
    expect((await admin.upload(path, [broken])).body).toMatchObject({ code: 'BAD_IMAGE' });
    const large = { name: 'a.png', content: Buffer.alloc(5 * 1024 * 1024 + 1) };
    expect((await admin.upload(path, [large])).body).toMatchObject({ msg: expect.stringMatching(/5 MiB/) });
    expect(await state(admin)).toMatchObject({ realm_icon_source: 'G', realm_night_logo_source: 'D' });
  });

  test('shows nothing where there is nothing', async () => {
    const { guest, realm: home } = await realm();
    for (const address of ['x.png', `${'a'.repeat(24)}.png`, `${'a'.repeat(24)}.svg`, '..%2f..%2fx.png'])
      expect((await guest.fetch(`/user_avatars/${home.id}/realm/${address}`)).status).toBe(404);
  });
});

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { type Json, type Person, type SentFile, foldersToSweep, realm, succeed } from '../support/index.ts';

type Rgb = { r: number; g: number; b: number };
const red: Rgb = { r: 255, g: 0, b: 0 };

const draw = (width: number, height: number, background: Rgb = red) =>
  sharp({ create: { width, height, channels: 3, background } });
const portrait = async (width = 640, height = 480): Promise<SentFile> => ({
  name: 'me.png',
  content: await draw(width, height).png().toBuffer(),
  type: 'image/png',
});
const choose = async (by: Person, file?: SentFile): Promise<Json> =>
  (await by.upload('/users/me/avatar', [file ?? (await portrait())])).body;
const pictureAt = async (by: Person, url: string) => {
  const reply = await by.fetch(url, {}, { authorization: null });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
  const { width, height, format } = await sharp(reply.bytes).metadata();
  return { width, height, format };
};

describe('POST /users/me/avatar', () => {
  test('shows the picture in two sizes to everyone, and tells every client', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();

    const { avatar_url } = await choose(alice);

    expect(avatar_url).toMatch(new RegExp(`^/user_avatars/${alice.realm.id}/[\\w-]{24}\\.png\\?version=2$`));
    const avatar_url_medium = avatar_url.replace('.png', '-medium.png');
    expect(await phone.hears()).toMatchObject([
      {
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: alice.id,
          avatar_source: 'U',
          avatar_url,
          avatar_url_medium,
          avatar_version: 2,
        },
      },
    ]);
    expect(await pictureAt(bob, avatar_url)).toEqual({ width: 100, height: 100, format: 'png' });
    expect(await pictureAt(bob, avatar_url_medium)).toEqual({ width: 500, height: 500, format: 'png' });
    const state = await alice.post('/register', { fetch_event_types: ['realm_user'] });
    expect(state).toMatchObject({ avatar_source: 'U', avatar_url, avatar_url_medium });
    expect(await alice.get('/users/me')).toMatchObject({ avatar_url, avatar_version: 2 });
  });

  test('is what messages show, also to clients that find gravatars themselves', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['message'], client_gravatar: true });
    const say = () => alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
    await say();
    const { avatar_url } = await choose(alice);
    await say();
    await alice.delete('/users/me/avatar');
    await say();
    const shown = (await phone.hears()).map(({ message }) => message.avatar_url);
    expect(shown).toEqual([null, avatar_url, null]);
    const fetched = await bob.get('/messages', { anchor: 'newest', num_before: 3, client_gravatar: true });
    expect(fetched.messages.map((message: Json) => message.avatar_url)).toEqual([null, null, null]);
  });

  test('shows the middle of a picture, upright', async () => {
    const { alice, bob } = await realm();
    const green: Rgb = { r: 0, g: 255, b: 0 };
    const strip = await draw(300, 100, green)
      .composite([{ input: await draw(100, 100).png().toBuffer(), left: 100, top: 0 }])
      .jpeg({ quality: 100 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { avatar_url } = await choose(alice, { name: 'me.jpg', content: strip });
    const { bytes } = await bob.fetch(avatar_url);
    const { channels } = await sharp(bytes).stats();
    expect(channels[0]?.mean).toBeGreaterThan(240);
    expect(channels[1]?.mean).toBeLessThan(15);
  });

  test('carries nothing else that was in the file', async () => {
    const { alice, bob } = await realm();
    const content = await draw(50, 50)
      .jpeg()
      .withExif({ IFD0: { Artist: 'at home' } })
      .toBuffer();
    expect(content.includes('at home')).toBe(true);
    const { avatar_url } = await choose(alice, { name: 'me.jpg', content });
    expect((await bob.fetch(avatar_url)).bytes.includes('at home')).toBe(false);
  });

  test.each<[string, () => Promise<SentFile | SentFile[]>, string, string]>([
    ['no file', async () => [], 'BAD_REQUEST', 'Upload exactly one picture.'],
    [
      'two files',
      async () => [await portrait(), await portrait()],
      'BAD_REQUEST',
      'Upload exactly one picture.',
    ],
    [
      'more than 5 MiB',
      async () => ({ name: 'a.png', content: Buffer.alloc(5 * 1024 * 1024 + 1) }),
      'BAD_REQUEST',
      'A picture can have at most 5 MiB.',
    ],
    [
      'no picture',
      async () => ({ name: 'a.png', content: 'a text', type: 'image/png' }),
      'BAD_IMAGE',
      'This file is not an image that the server can read.',
    ],
    [
      'a drawing that is a document',
      async () => ({
        name: 'a.svg',
        content:
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
        type: 'image/svg+xml',
      }),
      'BAD_IMAGE',
      'This file is not an image that the server can read.',
    ],
    [
      'half a picture',
      async () => {
        const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
        const whole = await sharp({
          create: { width: 300, height: 300, channels: 3, background: red, noise },
        })
          .png()
          .toBuffer();
        return { name: 'a.png', content: whole.subarray(0, whole.length / 2) };
      },
      'BAD_IMAGE',
      'This image is damaged or incomplete.',
    ],
    [
      'a small file of too many pixels',
      async () => ({ name: 'a.png', content: await draw(8000, 5001).png().toBuffer() }),
      'BAD_IMAGE',
      'This image has too many pixels.',
    ],
  ])('refuses %s', async (_, make, code, msg) => {
    const { alice } = await realm();
    const files = await make();
    const { body } = await alice.upload('/users/me/avatar', Array.isArray(files) ? files : [files]);
    expect(body).toEqual({ result: 'error', msg, code });
    expect((await alice.get('/users/me')).avatar_version).toBe(1);
  });

  test('is for administrators alone where the organization says so', async () => {
    const { alice, guest, bot, moderator, admin, owner } = await realm();
    await succeed(owner.patch('/realm', { avatar_changes_disabled: true }));
    const disabled = {
      result: 'error',
      msg: 'This organization does not let people change their avatars.',
      code: 'BAD_REQUEST',
    };
    for (const person of [alice, guest, bot, moderator]) {
      expect(await choose(person)).toEqual(disabled);
      expect(await person.delete('/users/me/avatar')).toEqual(disabled);
    }
    for (const person of [admin, owner]) expect(await choose(person)).toMatchObject({ result: 'success' });
  });

  test('a new picture replaces the old one, whose bytes are removed', async () => {
    const { alice, bob } = await realm();
    const [first, second] = [await choose(alice), await choose(alice)];
    expect(second.avatar_url).not.toBe(first.avatar_url);
    expect((await bob.get('/users/me')).avatar_version).toBe(1);
    const folder = first.avatar_url.replace('/user_avatars/', 'avatars/').replace(/\.png.*/, '');
    expect(await foldersToSweep(`avatars/${alice.realm.id}`)).toEqual([folder]);
  });
});

describe('DELETE /users/me/avatar', () => {
  test('shows the gravatar again', async () => {
    const { alice, bob } = await realm();
    const { avatar_url: picture } = await choose(alice);
    const phone = await bob.listen();
    const { avatar_url } = await alice.delete('/users/me/avatar');
    expect(avatar_url).toMatch(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=3$/,
    );
    expect(avatar_url).not.toBe(picture);
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { avatar_source: 'G', avatar_url, avatar_version: 3 } },
    ]);
  });

  test('is no change where there is no picture', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    expect(await alice.delete('/users/me/avatar')).toMatchObject({ result: 'success' });
    expect(await phone.hears()).toEqual([]);
  });
});

describe('GET /avatar/{user_id or email}', () => {
  test('leads to the picture, small and medium', async () => {
    const { alice, bob } = await realm();
    const { avatar_url } = await choose(alice);
    const ask = async (path: string) => {
      const { status, headers } = await bob.fetch(path);
      return [status, headers['location']];
    };
    const medium = avatar_url.replace('.png', '-medium.png');
    expect(await ask(`/avatar/${alice.id}`)).toEqual([302, avatar_url]);
    expect(await ask(`/avatar/${alice.email}`)).toEqual([302, avatar_url]);
    expect(await ask(`/avatar/${encodeURIComponent(alice.email.toUpperCase())}/medium`)).toEqual([
      302,
      medium,
    ]);
    expect(await ask(`/avatar/${alice.id}/medium`)).toEqual([302, medium]);
    expect(await ask(`/avatar/${bob.id}`)).toEqual([
      302,
      expect.stringMatching(/^https:\/\/secure\.gravatar/),
    ]);
    expect(await ask(`/avatar/${bob.id}/medium`)).toEqual([302, expect.stringMatching(/&s=500$/)]);
  });

  test('needs an account, and knows nobody of another organization', async () => {
    const { alice, bob } = await realm();
    const elsewhere = await realm();
    const path = `/avatar/${alice.id}`;
    expect((await bob.fetch(path, {}, { authorization: null })).status).toBe(401);
    expect((await bob.fetch(`${path}?api_key=${bob.apiKey}`, {}, { authorization: null })).status).toBe(302);
    expect((await elsewhere.alice.fetch(path)).status).toBe(404);
    for (const unknown of ['nobody@example.com', '2147483648', '99999999999', 'x', '%00']) {
      expect((await bob.fetch(`/avatar/${unknown}`)).status, unknown).toBe(404);
    }
    expect((await bob.fetch('/avatar/%zz')).status).toBe(400);
  });

  test('does not tell whose a hidden address is', async () => {
    const { alice, bob, realm: home } = await realm();
    await alice.patch('/settings', { email_address_visibility: 4 });
    expect((await bob.fetch(`/avatar/${alice.email}`)).status).toBe(404);
    expect((await bob.fetch(`/avatar/user${alice.id}@${home.host}`)).status).toBe(302);
    expect((await alice.fetch(`/avatar/${alice.email}`)).status).toBe(302);
  });
});

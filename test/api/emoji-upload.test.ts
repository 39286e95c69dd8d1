import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type SentFile,
  groupId,
  realm,
  succeed,
  tell,
  uploadEmoji,
} from '../support/index.ts';
import { animate, draw, drawNoise } from '../support/pictures.ts';

const still = async (): Promise<SentFile> => ({
  name: 'a.jpg',
  content: await draw({ width: 300, height: 200 }).jpeg().toBuffer(),
});
const add = async (by: Person, name: string, file?: SentFile): Promise<Json> =>
  (await by.upload(`/realm/emoji/${encodeURIComponent(name)}`, [file ?? (await still())])).body;
const named = async (by: Person, name: string): Promise<Json> =>
  Object.values<Json>((await by.get('/realm/emoji')).emoji).find((emoji) => emoji.name === name);

async function pictureAt(by: Person, url: string) {
  const reply = await by.fetch(url, {}, { authorization: null });
  expect(reply.status).toBe(200);
  const { width, height, pages = 1, pageHeight = height } = await sharp(reply.bytes).metadata();
  return { type: reply.headers['content-type'], width, height: pageHeight, frames: pages };
}

describe('POST /realm/emoji/{emoji_name}', () => {
  test('adds an emoji, tells everyone, and messages and reactions have it', async () => {
    const { alice, bob, guest, realm: home } = await realm();
    const phone = await guest.listen();
    expect(await add(alice, 'green tea')).toEqual({ result: 'success', msg: '' });
    const emoji = await named(guest, 'green_tea');
    expect(emoji).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'green_tea',
      source_url: expect.stringMatching(
        new RegExp(`^/user_avatars/${home.id}/emoji/images/[\\w-]{24}\\.png$`),
      ),
      still_url: null,
      deactivated: false,
      author_id: alice.id,
    });
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_emoji', op: 'update', realm_emoji: { [emoji.id]: emoji } },
    ]);
    const { realm_emoji } = await bob.post('/register', { fetch_event_types: ['realm_emoji'] });
    expect(realm_emoji).toEqual({ [emoji.id]: emoji });
    expect(await pictureAt(bob, emoji.source_url)).toEqual({
      type: 'image/png',
      width: 64,
      height: 64,
      frames: 1,
    });
    const id = await tell(bob, [alice], 'a cup of :green_tea:');
    const { message } = await alice.get(`/messages/${id}`);
    expect(message.content).toContain(emoji.source_url);
    await succeed(alice.post(`/messages/${id}/reactions`, { emoji_name: 'green_tea' }));
  });

  test.each(['gif', 'webp'] as const)(
    'keeps the movement of a %s, and shows it still, too',
    async (format) => {
      const { alice, bob } = await realm();
      const frames = [60, 120, 180].map((mean) => drawNoise({ width: 90, height: 60 }, mean));
      const content = await animate(frames, format);
      expect(await add(alice, 'dance', { name: `a.${format}`, content })).toMatchObject({
        result: 'success',
      });
      const { source_url, still_url } = await named(bob, 'dance');
      expect(await pictureAt(bob, source_url)).toEqual({
        type: `image/${format}`,
        width: 64,
        height: 64,
        frames: 3,
      });
      expect(still_url).toMatch(/\/emoji\/images\/still\/[\w-]{24}\.png$/);
      expect(await pictureAt(bob, still_url)).toMatchObject({ type: 'image/png', width: 64, frames: 1 });
    },
  );

  test('refuses an animation that is large even when it is small', async () => {
    const { alice } = await realm();
    const frames = Array.from({ length: 60 }, (_, index) => drawNoise({ width: 64, height: 64 }, index * 4));
    const file = { name: 'a.gif', content: await animate(frames, 'gif') };
    expect(await add(alice, 'noise', file)).toEqual({
      result: 'error',
      code: 'BAD_IMAGE',
      msg: 'This image has too many pixels.',
    });
    expect(await named(alice, 'noise')).toBeUndefined();
  });

  test.each([
    ['%20', 'Enter a name for the emoji.'],
    ['Capital', 'Use only lowercase letters'],
    ['a.b', 'Use only lowercase letters'],
    ['caf%C3%A9', 'Use only lowercase letters'],
    ['ends-', 'The name of an emoji must end with a letter or a digit.'],
    ['x'.repeat(101), 'The name of an emoji can have at most'],
  ])('refuses the name %s', async (name, msg) => {
    const { alice } = await realm();
    const { body } = await alice.upload(`/realm/emoji/${name}`, [await still()]);
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: expect.stringContaining(msg) });
  });

  test('refuses a name that is taken, and frees it with the emoji', async () => {
    const people = await realm();
    const { alice, bob } = people;
    await uploadEmoji(people, 'our_tea');
    expect(await add(bob, 'our_tea')).toMatchObject({
      msg: 'There is already a custom emoji with this name.',
    });
    await succeed(alice.delete('/realm/emoji/our_tea'));
    expect(await add(bob, 'our_tea')).toMatchObject({ result: 'success' });
    const replies = await Promise.all([alice, bob].map((by) => add(by, 'both_of_us')));
    expect(replies.filter(({ result }) => result === 'success')).toHaveLength(1);
  });

  test('lets administrators alone replace what everybody knows', async () => {
    const { alice, admin } = await realm();
    for (const name of ['tada', 'zulip'])
      expect(await add(alice, name)).toMatchObject({
        msg: 'Only administrators can replace a standard emoji.',
      });
    expect(await add(admin, 'tada')).toMatchObject({ result: 'success' });
  });

  test('is for people, and for those who hold the permission', async () => {
    const { owner, alice, guest, bot } = await realm();
    expect(await add(bot, 'one')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await add(guest, 'one')).toMatchObject({ msg: 'You do not have permission to do this.' });
    const administrators = { new: await groupId(owner, 'role:administrators') };
    await succeed(owner.patch('/realm', { can_add_custom_emoji_group: administrators }));
    expect(await add(alice, 'one')).toMatchObject({ msg: 'You do not have permission to do this.' });
    expect(await add(owner, 'one')).toMatchObject({ result: 'success' });
  });

  test('refuses what is not one picture', async () => {
    const { alice } = await realm();
    const one = await still();
    for (const files of [[], [one, one]])
      expect((await alice.upload('/realm/emoji/no_such_thing', files)).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Upload exactly one file.',
      });
    for (const content of ['no picture', await draw({ width: 8000, height: 5001 }).png().toBuffer()])
      expect(await add(alice, 'no_such_thing', { name: 'a.png', content })).toMatchObject({
        code: 'BAD_IMAGE',
      });
    const large = { name: 'a.png', content: Buffer.alloc(5 * 1024 * 1024 + 1) };
    expect(await add(alice, 'no_such_thing', large)).toMatchObject({ msg: expect.stringContaining('5 MiB') });
  });
});

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { type SentFile, getWorld, linkTo, realm, tell, upload } from '../support/index.ts';

const background = { r: 200, g: 100, b: 0 };
const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background } });
const thumbnailOf = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;

async function animation(): Promise<Buffer> {
  const frames = await Promise.all(
    [0, 1, 2].map((red) =>
      sharp({ create: { width: 90, height: 60, channels: 3, background: { r: red * 100, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  return await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

describe('GET /user_uploads/thumbnail', () => {
  test.each([
    ['png', 2000, 1000, 840, 420],
    ['jpeg', 1000, 2000, 280, 560],
    ['webp', 300, 200, 300, 200],
    ['tiff', 1680, 1120, 840, 560],
    ['avif', 1680, 1120, 840, 560],
  ] as const)('makes a small WebP of a %s', async (format, width, height, smallWidth, smallHeight) => {
    const { alice } = await realm();
    const content = await draw(width, height).toFormat(format).toBuffer();
    const reply = await alice.fetch(thumbnailOf(await upload(alice, { name: 'a picture', content })));
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(reply.headers['cache-control']).toContain('immutable');
    expect(reply.headers['content-security-policy']).toMatch(/^sandbox;/);
    expect(await sharp(reply.bytes).metadata()).toMatchObject({
      format: 'webp',
      width: smallWidth,
      height: smallHeight,
    });
  });

  test('moves where the picture does and that was asked for', async () => {
    const { alice } = await realm();
    const url = await upload(alice, { name: 'a.gif', content: await animation(), type: 'image/gif' });
    const pagesOf = async (format: string) =>
      (await sharp((await alice.fetch(thumbnailOf(url, format))).bytes).metadata()).pages ?? 1;
    expect(await pagesOf('840x560.webp')).toBe(1);
    expect(await pagesOf('840x560-anim.webp')).toBe(3);
    const still = await upload(alice, { name: 'a.png', content: await draw(9, 9).png().toBuffer() });
    const reply = await alice.fetch(thumbnailOf(still, '840x560-anim.webp'));
    expect((await sharp(reply.bytes).metadata()).pages ?? 1).toBe(1);
  });

  test.each(['300x200.jpg', '840x560.png', 'x', '840x560-anim.gif'])(
    'gives the nearest that there is for %s',
    async (format) => {
      const { alice } = await realm();
      const url = await upload(alice, { name: 'a.png', content: await draw(9, 9).png().toBuffer() });
      const reply = await alice.fetch(thumbnailOf(url, format));
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/webp']);
    },
  );

  test('is for those who may read the picture', async () => {
    const { alice, bob } = await realm();
    const elsewhere = await realm();
    const url = await upload(alice, { name: 'a.png', content: await draw(9, 9).png().toBuffer() });
    const thumbnail = thumbnailOf(url);
    expect((await bob.fetch(thumbnail)).status).toBe(403);
    expect((await bob.fetch(thumbnail, {}, { authorization: null })).status).toBe(403);
    expect((await elsewhere.alice.fetch(thumbnail)).status).toBe(404);
    await tell(alice, [bob], linkTo(url));
    expect((await bob.fetch(thumbnail)).status).toBe(200);
    const [{ id }] = (await alice.get('/attachments')).attachments;
    await alice.delete(`/attachments/${id}`);
    expect((await bob.fetch(thumbnail)).status).toBe(404);
  });

  test.each<[string, SentFile]>([
    ['a text', { name: 'a.txt', content: 'some text', type: 'text/plain' }],
    ['a text that calls itself a picture', { name: 'a.png', content: 'some text', type: 'image/png' }],
    ['a drawing that is a document', { name: 'a.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
  ])('there is none of %s', async (_, file) => {
    const { alice } = await realm();
    const url = await upload(alice, file);
    expect((await alice.fetch(thumbnailOf(url))).status).toBe(404);
    expect((await alice.fetch(url)).status).toBe(200);
  });

  test('there is none of a broken picture, nor of a small file of too many pixels', async () => {
    const { alice } = await realm();
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background, noise } })
      .png()
      .toBuffer();
    const broken = await upload(alice, { name: 'a.png', content: whole.subarray(0, whole.length / 2) });
    const huge = await upload(alice, {
      name: 'b.png',
      content: await draw(8000, 5001).png({ compressionLevel: 1 }).toBuffer(),
    });
    // It is decoded as a whole, not line by line.
    const interlaced = await draw(6000, 6000).png({ progressive: true, compressionLevel: 1 }).toBuffer();
    const large = await upload(alice, { name: 'c.png', content: interlaced });
    const frames = await draw(6000, 6000).webp({ effort: 0 }).toBuffer();
    const webp = await upload(alice, { name: 'd.webp', content: frames });
    for (const url of [broken, huge, large, webp]) {
      expect((await alice.fetch(thumbnailOf(url))).status).toBe(404);
      expect((await alice.fetch(url)).status).toBe(200);
    }
  });

  test('is made once, however many ask at once, and then never again', async () => {
    const { alice } = await realm();
    const world = await getWorld();
    const url = await upload(alice, { name: 'a.png', content: await draw(2000, 2000).png().toBuffer() });
    const put: string[] = [];
    const store = {
      ...world.store,
      put: (...args: Parameters<typeof world.store.put>) => {
        put.push(args[0]);
        return world.store.put(...args);
      },
    };
    await using node = await world.startApi({ store });
    const ask = () => alice.fetch(thumbnailOf(url), {}, { port: node.port });
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await ask();
    expect(put).toHaveLength(1);
    expect((await alice.fetch(thumbnailOf(url))).bytes).toEqual(replies[0]?.bytes);
  });

  test('a picture is what its content says, whatever it was called', async () => {
    const { alice } = await realm();
    const content = await draw(9, 9).jpeg().toBuffer();
    const url = await upload(alice, { name: 'page.html', content, type: 'text/html' });
    const { headers } = await alice.fetch(url);
    expect(headers['content-type']).toBe('image/jpeg');
  });
});

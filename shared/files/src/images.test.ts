import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { readImage, renderAvatar } from './images.ts';

// Each test sends pictures of accounts of its own, so that none waits for those of another.
const isLinux = process.platform === 'linux';

async function pictureFile(side = 3000): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-images-'));
  onTestFinished(async () => await rm(dir, { recursive: true }));
  const file = join(dir, 'picture');
  const create = { width: side, height: side, channels: 4 as const, background: '#123' };
  await writeFile(file, await sharp({ create }).png({ progressive: true }).toBuffer());
  return file;
}

/** Processes of low priority have no processor for long where the machine has much to do. */
const waits = { timeout: 60_000, interval: 5 };

/** The processes that this one has started, and that are there. */
const children = async () =>
  (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')).split(' ').filter(Boolean);

describe('a picture is decoded', () => {
  test('a picture is decoded in several sizes', async () => {
    const file = await pictureFile();
    expect(await readImage(file)).toEqual({ contentType: 'image/png', width: 3000, height: 3000, frames: 1 });
    const pictures = await renderAvatar(1, file, [10, 20]);
    const widths = await Promise.all(pictures.map(async (bytes) => (await sharp(bytes).metadata()).width));
    expect(widths).toEqual([10, 20]);
  });

  test('a picture waits for another of the same account, and not for all of somebody else', async () => {
    const file = await pictureFile(100);
    const decoded: string[] = [];
    const decode = (accountId: number, name: string) =>
      renderAvatar(accountId, file, [10]).then(() => decoded.push(name));
    await Promise.all([decode(2, 'first'), decode(2, 'second'), decode(2, 'third'), decode(3, 'another')]);
    expect(decoded).toEqual(['first', 'another', 'second', 'third']);
  });

  test.runIf(isLinux)('a picture is decoded by a process of low priority that knows no secret', async () => {
    process.env.PARLEY_SECRET = 'a secret of the server';
    onTestFinished(() => {
      delete process.env.PARLEY_SECRET;
    });
    await renderAvatar(4, await pictureFile(100), [10]);
    const [decoder] = await children();
    expect(getPriority(Number(decoder))).toBeGreaterThan(getPriority());
    expect(await readFile(`/proc/${decoder}/environ`, 'utf8')).not.toContain('secret');
  });

  test.runIf(isLinux)('a picture is decoded by another process if one is killed', async () => {
    const file = await pictureFile();
    await renderAvatar(5, file, [10]);
    const [idle] = await children();
    process.kill(Number(idle), 'SIGKILL');
    await vi.waitUntil(async () => (await children()).length === 0, waits);
    const refused = renderAvatar(
      6,
      file,
      Array.from({ length: 50 }, () => 500),
    ).catch((error: unknown) => error);
    const [busy] = await vi.waitUntil(async () => {
      const found = await children();
      return found.length > 0 && found;
    }, waits);
    process.kill(Number(busy), 'SIGKILL');
    expect(await refused).toMatchObject({ reason: 'not-now' });
    expect(await renderAvatar(7, file, [10])).toHaveLength(1);
  });
});

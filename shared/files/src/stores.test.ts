import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDiskStore } from './disk.ts';
import { createS3Store } from './s3.ts';
import type { FileStore } from './store.ts';

let folder: string;
let s3: S3rver;
const stores: Partial<Record<string, FileStore>> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-files-'));
  stores['disk'] = createDiskStore(join(folder, 'disk'));
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'uploads', configs: [] }],
  });
  const { port } = (await s3.run()) as AddressInfo;
  stores['S3'] = createS3Store({
    bucket: 'uploads',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  });
});

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['disk', 'S3'])('a store on %s', (kind) => {
  const get = () => {
    const store = stores[kind];
    if (!store) throw new Error(`There is no store on ${kind}.`);
    return store;
  };
  const content = Buffer.from('0123456789');
  async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of items) all.push(item);
    return all;
  }
  const read = async (key: string, range?: { start: number; end: number }) => {
    const found = await get().open(key, range);
    return found && { bytes: found.bytes, text: (await buffer(found.body)).toString() };
  };

  test('gives back what it was given', async () => {
    await get().put('uploads/1/aB_-9/original', content, 'text/plain');
    expect(await read('uploads/1/aB_-9/original')).toEqual({ bytes: 10, text: '0123456789' });
  });

  test('names its folders, and lists what is in them', async () => {
    const store = get();
    for (const key of ['listed/1/a/original', 'listed/1/a/thumbnail', 'listed/2/b/original'])
      await store.put(key, content, 'text/plain');
    const folders = await collect(store.folders('listed'));
    expect(folders.sort()).toEqual(['1', '2']);
    const listed = await collect(store.list('listed/1'));
    expect(listed.map(({ key }) => key).sort()).toEqual(['listed/1/a/original', 'listed/1/a/thumbnail']);
    for (const { bytes, storedAt } of listed) {
      expect(bytes).toBe(10);
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(86_400_000);
    }
    expect(await collect(store.list('listed/3'))).toEqual([]);
    expect(await collect(store.folders('nothing'))).toEqual([]);
  });

  test('gives a part, and says how long the whole is', async () => {
    await get().put('parts/original', content, 'text/plain');
    expect(await read('parts/original', { start: 2, end: 4 })).toEqual({ bytes: 10, text: '234' });
    expect(await read('parts/original', { start: 9, end: 9 })).toEqual({ bytes: 10, text: '9' });
  });

  test('takes a file of many megabytes byte for byte', async () => {
    const file = join(folder, 'large');
    const large = Buffer.alloc(12 * 1024 * 1024, 'some bytes that are no pattern of a block');
    await writeFile(file, large);
    await get().put('large/original', { file, bytes: large.length }, 'application/octet-stream');
    const found = await get().open('large/original');
    expect(found?.bytes).toBe(large.length);
    expect(found && (await buffer(found.body)).equals(large)).toBe(true);
    expect((await readFile(file)).length, 'the source stays').toBe(large.length);
  });

  test('takes a file of nothing', async () => {
    const file = join(folder, 'empty');
    await writeFile(file, '');
    await get().put('empty/original', { file, bytes: 0 }, 'text/plain');
    expect(await read('empty/original')).toEqual({ bytes: 0, text: '' });
  });

  test('replaces an object whole', async () => {
    await get().put('twice/original', content, 'text/plain');
    await get().put('twice/original', Buffer.from('new'), 'text/plain');
    expect(await read('twice/original')).toEqual({ bytes: 3, text: 'new' });
  });

  test('has nothing where nothing was put', async () => {
    expect(await read('nowhere/original')).toBeUndefined();
    await expect(
      get().put('failed/original', { file: join(folder, 'none'), bytes: 3 }, 'text/plain'),
    ).rejects.toThrow('ENOENT');
    expect(await read('failed/original')).toBeUndefined();
  });

  test('removes a folder and nothing beside it, as often as it is asked', async () => {
    for (const key of ['gone/a/original', 'gone/a/small.webp', 'gone/ab/original']) {
      await get().put(key, content, 'text/plain');
    }
    await get().remove('gone/a');
    await get().remove('gone/a');
    expect(await read('gone/a/original')).toBeUndefined();
    expect(await read('gone/a/small.webp')).toBeUndefined();
    expect(await read('gone/ab/original')).toMatchObject({ bytes: 10 });
  });

  test.each(['../escaped', 'a/../../b', '/etc/passwd', 'a//b', '', 'a/./b', 'a/\0', 'a b'])(
    'has no key %j',
    async (key) => {
      await expect(get().put(key, content, 'text/plain')).rejects.toThrow('is not a key');
      await expect(get().open(key)).rejects.toThrow('is not a key');
      await expect(get().remove(key)).rejects.toThrow('is not a key');
    },
  );
});

test('a disk store leaves nothing half-written', async () => {
  const names = await readdir(join(folder, 'disk'), { recursive: true });
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => name.endsWith('.partial'))).toEqual([]);
});

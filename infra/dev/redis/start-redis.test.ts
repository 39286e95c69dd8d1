import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder, type TemporaryFolder } from '../machine/temporary-folder.test-support.ts';
import { eventually } from '../testing/eventually.ts';
import { startRedis } from './start-redis.ts';
import { withRedis } from './with-redis.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

describe('startRedis', () => {
  const say = () => {};
  const write = (url: string) => withRedis(url, (redis) => redis.set('key', 'value'));
  const read = (url: string) => withRedis(url, (redis) => redis.get('key'));

  test('keeps its keys over a restart, loses them over an empty one', async () => {
    await using redis = await startRedis({ dir: folder.path, say });
    await write(redis.url);
    await redis.restart?.();
    expect(await read(redis.url)).toBe('value');
    await redis.restart?.({ empty: true });
    expect(await read(redis.url)).toBeNull();
  });

  test('comes back empty when it is killed', async () => {
    await using redis = await startRedis({ dir: folder.path, say });
    await write(redis.url);
    await redis.restart?.();
    process.kill(Number(redis.pid), 'SIGKILL');
    await eventually(() =>
      read(redis.url).then(
        (value) => value === null,
        () => false,
      ),
    );
  });

  test('never evicts', async () => {
    await using redis = await startRedis({ dir: folder.path, say });
    const policy = await withRedis(redis.url, (client) => client.config('GET', 'maxmemory-policy'));
    expect(policy).toEqual(['maxmemory-policy', 'noeviction']);
  });

  test('says so when the given Redis does not answer', async () => {
    await expect(startRedis({ dir: folder.path, url: 'redis://127.0.0.1:9' })).rejects.toThrow('REDIS_URL');
  });
});

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { buildClient } from './build-client.ts';

const root = new URL('../..', import.meta.url).pathname;

test('the web client is built for production by whoever builds it, without a path of this machine', async () => {
  expect(process.env['NODE_ENV']).toBe('test');
  await buildClient({ root, say: () => undefined });
  const folder = join(root, 'services/web/dist/client/static/web');
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  const texts = await Promise.all(scripts.map(async (name) => await readFile(join(folder, name), 'utf8')));
  expect(scripts.filter((_, at) => texts[at]?.includes(root))).toEqual([]);
});

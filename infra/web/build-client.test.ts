import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

import { expect, test } from 'vitest';

import { buildClient } from './build-client.ts';

const root = new URL('../..', import.meta.url).pathname;
const client = join(root, 'services/web/dist/client');

test('the web client is built for production by whoever builds it, without a path of this machine', async () => {
  expect(process.env['NODE_ENV']).toBe('test');
  await buildClient({ root, say: () => undefined });
  const folder = join(client, 'static/web');
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  const texts = await Promise.all(scripts.map(async (name) => await readFile(join(folder, name), 'utf8')));
  expect(scripts.filter((_, at) => texts[at]?.includes(root))).toEqual([]);
});

test('the first look is few scripts, fits into 98 KB, and brings no translation', async () => {
  await buildClient({ root, say: () => undefined });
  const page = await readFile(join(client, 'index.html'), 'utf8');
  const folder = join(client, 'static/web');
  const scripts = new Map<string, string>();
  for (const name of await readdir(folder)) {
    if (name.endsWith('.js')) scripts.set(name, await readFile(join(folder, name), 'utf8'));
  }
  const first = [...scripts.keys()].filter((name) => page.includes(`"/static/web/${name}"`));
  expect(first.length).toBeGreaterThan(1);
  expect(first.length).toBeLessThan(12);
  const compressed = await Promise.all(
    first.map((name) => promisify(brotliCompress)(scripts.get(name) ?? '')),
  );
  expect(compressed.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(98_000);

  // Browsers look for it in the first comments of a script alone.
  const atOnce = first.filter((name) => scripts.get(name)?.startsWith('//# allFunctionsCalledOnLoad\n'));
  expect(atOnce.map((name) => /^[a-z]+/.exec(name)?.[0])).toEqual(
    expect.arrayContaining(['app', 'language']),
  );

  // What starts the page waits for the program: whatever imported it would wait for ever.
  const starter = first.find((name) => page.includes(`src="/static/web/${name}"`));
  expect(starter).toBeDefined();
  expect([...scripts.keys()].filter((name) => scripts.get(name)?.includes(`./${starter}`))).toEqual([]);

  // What it asks the server for first waits for nothing but the page.
  const [, early = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
  expect(early).toContain('/register');
  expect(page.indexOf('<script>')).toBeLessThan(page.indexOf('rel="stylesheet"'));
  expect((await promisify(brotliCompress)(early)).length).toBeLessThan(5000);

  const translations = join(root, 'services/web/src/strings/translations');
  for (const file of (await readdir(translations)).filter((name) => name !== 'en.json')) {
    const { 'about.product': text = '' } = JSON.parse(
      await readFile(join(translations, file), 'utf8'),
    ) as Record<string, string>;
    const bringers = [...scripts.keys()].filter((name) => scripts.get(name)?.includes(text));
    expect(bringers).toHaveLength(1);
    expect(first).not.toContain(bringers[0]);
  }
});

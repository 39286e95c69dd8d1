import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { cellsIn, madeFiles, madeTables } from '../docs/pages.ts';
import { listSettings, settingsOfServices } from '../docs/settings.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('what npm run docs makes is up to date', () => {
  test.each(madeTables)('the $name in $page are those of the code', ({ page, name, rows }) => {
    expect(rows().length).toBeGreaterThan(2);
    expect(cellsIn(read(page), name), 'run npm run docs').toEqual(rows());
  });

  test.each(madeFiles)('$path is what the code says', ({ path, text }) => {
    expect(read(path), 'run npm run docs').toBe(text());
  });
});

describe('the README of', () => {
  const folders = ['services', 'shared'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );

  test.each(folders)('%s names every room that it imports', (folder) => {
    const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    const rooms = Object.keys(dependencies)
      .filter((name) => name.startsWith('@parley/'))
      .map((name) => name.slice('@parley/'.length));
    const page = read(`${folder}/README.md`);
    expect(rooms.filter((room) => !new RegExp(`\`(?:@parley/)?${room}\``).test(page))).toEqual([]);
  });
});

test('every setting says what it is for', () => {
  expect(listSettings().filter(({ meaning }) => meaning === '')).toEqual([]);
});

describe('.env.sample can be read, and changes nothing, by', () => {
  const required = {
    DATABASE_URL: 'postgres://localhost/parley',
    REDIS_URL: 'redis://localhost',
    PARLEY_SECRET: 'x'.repeat(32),
  };
  // Settings that are empty in the sample have no default: they are left out, as somebody would leave them out.
  const uncommented = read('.env.sample').replace(/^#(?=[A-Z][A-Z0-9_]*=.)/gm, '');
  const sample = Object.fromEntries(
    Object.entries(parseEnv(uncommented)).filter(([, value]) => value !== ''),
  );

  test.each(Object.keys(settingsOfServices))('%s nodes', (service) => {
    const schema = z.object(settingsOfServices[service] ?? {});
    expect(schema.parse({ ...sample, ...required })).toEqual(schema.parse(required));
  });
});

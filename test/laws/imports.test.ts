import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** What each room may import of the others: the drawing, and nothing beside it. */
const rooms: Record<string, readonly string[]> = {
  'shared/kit': [],
  'shared/protocol': ['kit'],
  'shared/db': ['kit', 'protocol'],
  'shared/redis': ['kit', 'protocol'],
  'shared/http': ['kit', 'protocol'],
  'shared/files': [],
  'shared/markdown': [],
  'shared/log': ['kit', 'protocol', 'db', 'redis'],
  'shared/domain': ['kit', 'protocol', 'db', 'markdown'],
  'services/api': ['kit', 'protocol', 'db', 'redis', 'http', 'files', 'log', 'domain'],
  'services/worker': ['kit', 'protocol', 'db', 'redis', 'files', 'log', 'domain'],
  'services/queue': ['kit', 'protocol', 'redis', 'http', 'log'],
};

interface SourceFile {
  /** From the root of the repository. */
  path: string;
  text: string;
  imports: string[];
}

const specifier = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*'([^'\n]+)'/g;

function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql|lua)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: [...text.matchAll(specifier)].map(([, name]) => name ?? '') };
    });
}

const isTest = ({ path }: SourceFile) => /\.test(-support)?\.ts$/.test(path);
const filesOf = new Map(Object.keys(rooms).map((room) => [room, filesIn(room)]));
const house = [...filesOf.values()].flat();
const everything = [...house, ...filesIn('infra'), ...filesIn('test')];

/** Imports that break a rule, as `file: import`. */
const offences = (files: SourceFile[], breaks: (name: string, file: SourceFile) => boolean) =>
  files.flatMap((file) =>
    file.imports.filter((name) => breaks(name, file)).map((name) => `${file.path}: ${name}`),
  );

describe.each(Object.entries(rooms))('%s', (room, allowed) => {
  const files = filesOf.get(room) ?? [];

  test('imports only the rooms below it', () => {
    expect(files.flatMap(({ imports }) => imports).length, 'imports that were read').toBeGreaterThan(0);
    const isForbidden = (name: string) =>
      name.startsWith('@parley/') && !allowed.includes(name.slice('@parley/'.length).split('/')[0] ?? '');
    expect(offences(files, isForbidden)).toEqual([]);
  });

  test('is declared to depend on what it imports', () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    const isUndeclared = (name: string) =>
      !name.startsWith('.') && !name.startsWith('node:') && !Object.hasOwn(dependencies, packageOf(name));
    expect(
      offences(
        files.filter((file) => !isTest(file)),
        isUndeclared,
      ),
    ).toEqual([]);
  });

  test('stays inside itself', () => {
    const leaves = (name: string, { path }: SourceFile) =>
      name.startsWith('.') && !join(path, '..', name).startsWith(`${room}/`);
    expect(offences(files, leaves)).toEqual([]);
  });
});

test('a room is entered by its front door', () => {
  expect(offences(everything, (name) => /^@parley\/[^/]+\//.test(name))).toEqual([]);
});

test('nothing enters a room by a path from outside', () => {
  const outside = everything.filter((file) => !house.includes(file));
  const breaksIn = (name: string, { path }: SourceFile) =>
    name.startsWith('.') && /^(shared|services)\//.test(join(path, '..', name));
  expect(offences(outside, breaksIn)).toEqual([]);
});

test('one function appends to the log, and one room calls it', () => {
  const homes = ['shared/db/functions/', 'shared/log/src/'];
  // Benchmarks may fill the log beside it; nothing that serves anyone may.
  const naming = [...house, ...everything.filter(({ path }) => path.startsWith('infra/'))]
    .filter(({ text }) => text.includes('append_to_log'))
    .map(({ path }) => path);
  expect(naming.filter((path) => homes.some((home) => path.startsWith(home))).length).toBeGreaterThan(1);
  expect(naming.filter((path) => !homes.some((home) => path.startsWith(home)))).toEqual([]);
});

test('the environment is read where a process starts, and nowhere else', () => {
  const reading = house
    .filter((file) => !isTest(file) && /process\.env/.test(file.text))
    .map(({ path }) => path);
  expect(reading.length).toBeGreaterThan(0);
  expect(reading.filter((path) => !path.endsWith('/src/main.ts'))).toEqual([]);
});

test('routes declare, and leave HTTP, SQL and Redis to others', () => {
  const routes = house.filter(({ path }) => path.startsWith('services/api/src/routes/'));
  expect(routes.length).toBeGreaterThan(5);
  const isMachinery = (name: string) =>
    /^(hono|@hono\/|drizzle-orm|ioredis|postgres|@parley\/(db|redis|log)$)/.test(name);
  expect(offences(routes, isMachinery)).toEqual([]);
});

test('key patterns of Redis are in one file', () => {
  const writing = house
    .filter((file) => !isTest(file) && /['"`]\{?parley:/.test(file.text))
    .map(({ path }) => path);
  expect(writing).toEqual(['shared/redis/src/keys.ts']);
});

test('no test sleeps', () => {
  const tests = everything.filter(
    (file) => isTest(file) && !file.path.startsWith('infra/') && !file.path.startsWith('test/cluster/'),
  );
  expect(tests.length).toBeGreaterThan(10);
  const sleeping = tests.filter(
    ({ path, text }) => path !== 'test/laws/imports.test.ts' && /\b(setTimeout|sleep|pause)\(/.test(text),
  );
  expect(sleeping.map(({ path }) => path)).toEqual([]);
});

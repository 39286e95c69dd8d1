import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  type SourceFile,
  circlesIn,
  filesIn,
  importedFiles,
  isTest,
  offences,
  root,
  sourceFile,
} from './source-files.ts';

/** What each room may import of the others: the drawing in ARCHITECTURE.md, and nothing beside it. */
const rooms: Record<string, readonly string[]> = {
  'shared/kit': [],
  'shared/telemetry': ['kit'],
  'shared/protocol': ['kit'],
  'shared/client': ['protocol'],
  'shared/strings': [],
  'shared/db': ['kit', 'protocol'],
  'shared/redis': ['kit', 'telemetry', 'protocol'],
  'shared/http': ['kit', 'telemetry', 'protocol'],
  'shared/files': ['kit'],
  'shared/push': ['protocol'],
  'shared/search': ['kit', 'telemetry'],
  'shared/markdown': [],
  'shared/log': ['kit', 'telemetry', 'protocol', 'db', 'redis'],
  'shared/model': ['kit', 'protocol', 'db', 'search', 'markdown'],
  'shared/actions': ['kit', 'protocol', 'strings', 'db', 'search', 'markdown', 'model'],
  'shared/engine': ['kit', 'telemetry', 'protocol', 'db', 'redis', 'log', 'model', 'actions'],
  'shared/archive': ['kit', 'protocol', 'db', 'files', 'markdown', 'model', 'actions', 'engine'],
  'services/api': [
    'kit',
    'telemetry',
    'protocol',
    'db',
    'redis',
    'http',
    'files',
    'push',
    'search',
    'strings',
    'model',
    'actions',
    'engine',
  ],
  'services/worker': [
    'kit',
    'telemetry',
    'protocol',
    'db',
    'redis',
    'http',
    'files',
    'push',
    'search',
    'strings',
    'markdown',
    'log',
    'model',
    'actions',
    'engine',
    'archive',
  ],
  'services/cli': [
    'kit',
    'protocol',
    'db',
    'redis',
    'http',
    'files',
    'log',
    'model',
    'actions',
    'engine',
    'archive',
  ],
  'services/queue': ['kit', 'telemetry', 'protocol', 'redis', 'http', 'log'],
  'services/web': ['client', 'strings'],
};

const filesOf = new Map(Object.keys(rooms).map((room) => [room, filesIn(room)]));
const house = [...filesOf.values()].flat();

const roomsOfNouns = ['shared/model', 'shared/actions'];

/** The order in which a room's front door lists its nouns: each may import those before it. */
function nounOrder(room: string): string[] {
  const index = filesOf.get(room)?.find(({ path }) => path === `${room}/src/index.ts`);
  return [...new Set(importedFiles(index ?? sourceFile('', '')).flatMap((path) => nounOf(room, path) ?? []))];
}

const everything = [...house, ...filesIn('infra'), ...filesIn('test')];

const roomNameOf = (specifier: string) => specifier.slice('@parley/'.length).split('/')[0] ?? '';

/** Imports of rooms that stand beside a room or above it. */
const upwardImports = (files: SourceFile[], allowed: readonly string[]) =>
  offences(files, (name) => name.startsWith('@parley/') && !allowed.includes(roomNameOf(name)));

/** The noun that a file of a room is about; undefined of what lies beside the nouns. */
const nounOf = (room: string, path: string) => /^src\/([^/]+)\//.exec(path.slice(room.length + 1))?.[1];

/** Imports of nouns that come later in the order. A noun that the order does not name lies below all, and imports none. */
const upwardNouns = (room: string, files: SourceFile[], order: readonly string[]) =>
  files.flatMap((file) =>
    importedFiles(file).flatMap((target) => {
      const [from, to] = [nounOf(room, file.path), nounOf(room, target)];
      if (to === undefined || from === to) return [];
      const isBelow = from !== undefined && order.indexOf(to) < order.indexOf(from);
      return isBelow ? [] : [`${file.path}: ${target}`];
    }),
  );

/** Imports of another noun that pass its front door by. */
const pastTheDoor = (room: string, files: SourceFile[]) =>
  files.flatMap((file) =>
    importedFiles(file).flatMap((target) => {
      const [from, to] = [nounOf(room, file.path), nounOf(room, target)];
      const isInside = to === undefined || from === to || target === `${room}/src/${to}/index.ts`;
      return isInside ? [] : [`${file.path}: ${target}`];
    }),
  );

describe.each(Object.entries(rooms))('%s', (room, allowed) => {
  const files = filesOf.get(room) ?? [];

  test('imports only the rooms below it', () => {
    expect(files.flatMap(({ imports }) => imports).length, 'imports that were read').toBeGreaterThan(0);
    expect(upwardImports(files, allowed)).toEqual([]);
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

  test('has no circle of files, also none that types alone would close', () => {
    expect(circlesIn(files)).toEqual([]);
  });
});

test.each(['infra', 'test'])('%s has no circle of files either', (folder) => {
  expect(circlesIn(filesIn(folder))).toEqual([]);
});

test.each([
  ['the SDK for buckets', 'shared/files', './s3.ts'],
  ['what sends traces', 'shared/telemetry', './otlp.ts'],
])('%s is loaded only where it is asked for', (_, room, name) => {
  const files = (filesOf.get(room) ?? []).filter((file) => !isTest(file));
  const importers = files.filter(({ imports }) => imports.includes(name));
  expect(importers).toHaveLength(1);
  expect(importers.filter(({ text }) => !text.includes(`await import('${name}')`))).toEqual([]);
});

describe.each(roomsOfNouns)('the nouns of %s', (room) => {
  const isSource = (file: SourceFile) => !isTest(file) && !file.path.endsWith('/src/index.ts');
  const files = (filesOf.get(room) ?? []).filter(isSource);

  test('import those that the front door lists before them', () => {
    expect(nounOrder(room).length).toBeGreaterThan(15);
    expect(upwardNouns(room, files, nounOrder(room))).toEqual([]);
  });
});

describe('the law of imports goes red', () => {
  test('when a read imports a write', () => {
    const file = sourceFile(
      'shared/model/src/users/find.ts',
      "import type { users } from '@parley/actions';",
    );
    expect(upwardImports([file], rooms['shared/model'] ?? [])).toHaveLength(1);
  });

  test('when a noun imports one that comes after it, if only a type', () => {
    const order = nounOrder('shared/model');
    const file = sourceFile(
      'shared/model/src/realms/find.ts',
      "import type { Page } from '../messages/fetch.ts';",
    );
    expect(upwardNouns('shared/model', [file], order)).toHaveLength(1);
  });

  test('when an action enters another noun by a path inside it', () => {
    const file = sourceFile(
      'shared/actions/src/users/edit.ts',
      "import { join } from '../channels/join.ts';",
    );
    expect(pastTheDoor('shared/actions', [file])).toHaveLength(1);
  });

  test('when two files import each other', () => {
    const files = [
      sourceFile('shared/kit/src/a.ts', "import { b } from './b.ts';"),
      sourceFile('shared/kit/src/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(circlesIn(files)).toEqual([['shared/kit/src/a.ts', 'shared/kit/src/b.ts']]);
  });
});

test('an action enters another noun by its front door', () => {
  const files = (filesOf.get('shared/actions') ?? []).filter(({ path }) => !path.endsWith('/src/index.ts'));
  expect(pastTheDoor('shared/actions', files)).toEqual([]);
});

test('the model writes nothing, and locks nothing', () => {
  const writes =
    /\btx\s*\.(?:insert|update|delete)\(|\b(?:insert into|delete from|update \w+ set)\b|\.for\('/;
  const writing = (filesOf.get('shared/model') ?? []).filter(
    (file) => !isTest(file) && writes.test(file.text),
  );
  expect(writing.map(({ path }) => path)).toEqual([]);
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

test('two functions append to the log, and one room calls them', () => {
  const homes = ['shared/db/functions/', 'shared/db/migrations/', 'shared/log/src/'];
  // Benchmarks may fill the log beside it; nothing that serves anyone may.
  const naming = [...house, ...everything.filter(({ path }) => path.startsWith('infra/'))]
    .filter(({ text }) => /append_(?:events|plain_messages|to_log|messages)\(/.test(text))
    .map(({ path }) => path);
  expect(naming.filter((path) => homes.some((home) => path.startsWith(home))).length).toBeGreaterThan(1);
  expect(naming.filter((path) => !homes.some((home) => path.startsWith(home)))).toEqual([]);
});

test('the engine alone commits, publishes and enqueues what follows from an action', () => {
  const machinery = /\b(?:beginAction|appendResult|createSender|createPublisher|createEphemeralPublisher)\b/;
  const using = house.filter(
    (file) =>
      !isTest(file) &&
      [...file.text.matchAll(/import (?:type )?\{([^}]*)\} from '@parley\/log'/g)].some(([, names = '']) =>
        machinery.test(names),
      ),
  );
  expect(using.map(({ path }) => path)).toEqual([
    'shared/engine/src/engine.ts',
    'shared/engine/src/perform.ts',
  ]);
});

test('the environment is read where a process starts, and nowhere else', () => {
  const reading = house
    .filter((file) => !isTest(file) && /process\.env/.test(file.text))
    .map(({ path }) => path);
  expect(reading.length).toBeGreaterThan(0);
  expect(reading.filter((path) => !/\/src\/(?:imports\/import-process|main)\.ts$/.test(path))).toEqual([]);
});

test('routes declare, and leave HTTP, SQL and Redis to others', () => {
  const routes = house.filter(({ path }) => path.startsWith('services/api/src/routes/'));
  expect(routes.length).toBeGreaterThan(5);
  const isMachinery = (name: string) =>
    /^(hono|@hono\/|drizzle-orm|ioredis|postgres|@parley\/(db|redis|log|engine)$)/.test(name);
  expect(offences(routes, isMachinery)).toEqual([]);
});

test('the client runs in browsers: it imports no module of Node, and of other rooms types alone', () => {
  const files = (filesOf.get('shared/client') ?? []).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(10);
  expect(offences(files, (name) => name.startsWith('node:'))).toEqual([]);
  const values = /import (?!type )[^;]*? from '@parley\//;
  expect(files.filter(({ text }) => values.test(text)).map(({ path }) => path)).toEqual([]);
});

test('key patterns of Redis are in one file', () => {
  const writing = house
    .filter((file) => !isTest(file) && /['"`]\{?parley:/.test(file.text))
    .map(({ path }) => path);
  expect(writing).toEqual(['shared/redis/src/keys.ts']);
});

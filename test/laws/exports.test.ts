import { describe, expect, test } from 'vitest';

import { type SourceFile, filesIn, isTest, sourceFile } from './source-files.ts';

const rooms = [
  'kit',
  'telemetry',
  'protocol',
  'db',
  'redis',
  'http',
  'files',
  'push',
  'markdown',
  'log',
  'model',
  'actions',
  'engine',
  'archive',
];
const services = ['api', 'queue', 'worker'];
const folders = [
  'services/cli',
  ...rooms.map((room) => `shared/${room}`),
  ...services.map((service) => `services/${service}`),
  'infra',
  'test',
];
const files = folders.flatMap(filesIn);

/** Names that an index file exports, by `export { a, type B as C } from …` and `export * as d from …`. */
function exportedNames({ text }: SourceFile): string[] {
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  const named = lists.map(
    (item) =>
      item
        .replace(/\btype\b/, '')
        .trim()
        .split(/\s+as\s+/)
        .at(-1) ?? '',
  );
  const namespaces = [...text.matchAll(/export \* as (\w+) from/g)].map(([, name]) => name ?? '');
  return [...named, ...namespaces].filter(Boolean);
}

/** Names that a file imports of a room: by name, or as members of the room's whole. */
function importedNames({ text }: SourceFile, room: string): string[] {
  const imports = [...text.matchAll(new RegExp(`import (?:type )?([^;]*?) from '@parley/${room}';`, 'g'))];
  return imports.flatMap(([, clause = '']) => {
    const whole = /^\* as (\w+)$/.exec(clause.trim())?.[1];
    if (whole)
      return [...text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))].map(([, name]) => name ?? '');
    return [...clause.matchAll(/(?:^|[{,])\s*(?:type )?(\w+)(?: as \w+)?/g)].map(([, name]) => name ?? '');
  });
}

const indexOf = (path: string) => files.find((file) => file.path === `${path}/src/index.ts`);

/** Exported names of a room that nobody outside of it imports. */
function unusedExports(path: string, room: string, others: SourceFile[]): string[] {
  const used = new Set(others.flatMap((file) => importedNames(file, room)));
  const index = indexOf(path);
  return index ? exportedNames(index).filter((name) => !used.has(name)) : [];
}

describe.each([
  ...rooms.map((room) => [`shared/${room}`, room]),
  ...services.map((s) => [`services/${s}`, s]),
])('%s', (path, room) => {
  test('exports what others import, and lists it by name', () => {
    const index = indexOf(path);
    expect(index && exportedNames(index).length).toBeGreaterThan(0);
    expect(index?.text.match(/export (?:type )?\* from/g) ?? []).toEqual([]);
    const others = files.filter((file) => !file.path.startsWith(`${path}/`));
    expect(unusedExports(path, room, others)).toEqual([]);
  });
});

/** The room, the noun and the namespace of each door that a noun has. */
const doors = files.flatMap(({ path }) => {
  const [, room = '', noun] = /^shared\/(model|actions)\/src\/([^/]+)\/index\.ts$/.exec(path) ?? [];
  if (noun === undefined) return [];
  const namespace = noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [{ path, room, noun, namespace }];
});

test.each(doors)('$path exports what others use', ({ path, room, noun, namespace }) => {
  const index = files.find((file) => file.path === path);
  const others = files.filter((file) => !file.path.startsWith(`shared/${room}/src/${noun}/`));
  const insideImports = ({ text }: SourceFile) =>
    [
      ...text.matchAll(new RegExp(`import (?:type )?\\{([^}]*)\\} from '[./]*/${noun}/index\\.ts'`, 'g')),
    ].flatMap(([, list = '']) =>
      list.split(',').map(
        (item) =>
          item
            .replace(/\btype\b/, '')
            .trim()
            .split(/\s+as\s+/)[0] ?? '',
      ),
    );
  const spellings = room === 'model' ? `model\\.${namespace}` : `(?:${namespace}|${namespace}Actions)`;
  const members = ({ text }: SourceFile) =>
    [...text.matchAll(new RegExp(`\\b${spellings}\\.(\\w+)`, 'g'))].map(([, name]) => name ?? '');
  const used = new Set(others.flatMap((file) => [...insideImports(file), ...members(file)]));
  expect(index && exportedNames(index).filter((name) => !used.has(name))).toEqual([]);
});

test('the law of exports goes red for a name that nobody imports', () => {
  const reader = sourceFile('test/reader.ts', "import { present, type Used as Other } from '@parley/kit';");
  expect(importedNames(reader, 'kit')).toEqual(['present', 'Used']);
  const index = sourceFile('x', "export { present, type Used, unused } from './a.ts';");
  expect(exportedNames(index).filter((name) => !importedNames(reader, 'kit').includes(name))).toEqual([
    'unused',
  ]);
});

test('the files that the laws read are there', () => {
  expect(files.filter((file) => isTest(file)).length).toBeGreaterThan(10);
});

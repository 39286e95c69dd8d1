import { describe, expect, test } from 'vitest';

import { type SourceFile, filesIn, importedFiles, isTest, sourceFile } from './source-files.ts';

const client = 'services/web/src';

/** The floors of the web client, from the lowest. Each may use those before it. */
const floors = ['strings', 'base', 'data', 'features', 'app'];

/** The floor of a file, and the feature that it is of where it is of one. */
function homeOf(path: string): { floor: string; feature: string | null } {
  const [floor = '', feature = ''] = path.slice(client.length + 1).split('/');
  return { floor, feature: floor === 'features' ? feature : null };
}

/** Imports that lead upwards, or into another feature otherwise than by its door. */
const wrongWays = (files: readonly SourceFile[]): string[] =>
  files.flatMap((file) =>
    importedFiles(file)
      .filter((target) => /\.tsx?$/.test(target) && !isAllowed(file.path, target))
      .map((target) => `${file.path}: ${target}`),
  );

function isAllowed(from: string, to: string): boolean {
  const [home, target] = [homeOf(from), homeOf(to)];
  if (target.feature !== null && target.feature !== home.feature) {
    return floors.indexOf(home.floor) >= floors.indexOf('features') && to === doorOf(target.feature);
  }
  return floors.indexOf(target.floor) <= floors.indexOf(home.floor);
}

const doorOf = (feature: string) => `${client}/features/${feature}/index.ts`;

const files = filesIn(client).filter((file) => !isTest(file));

test('every file of the web client is on a floor', () => {
  expect(files.length).toBeGreaterThan(150);
  const outside = files.filter(({ path }) => !floors.includes(homeOf(path).floor));
  expect(outside.map(({ path }) => path)).toEqual([`${client}/assets.d.ts`]);
});

test('the web client imports downwards, and enters a feature by its door', () => {
  expect(wrongWays(files)).toEqual([]);
});

/** Variables of a module that change: what keeps something has a name, as an object or a signal. */
const variablesOf = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => `${path}: ${name}`);

test('no module of the web client has a variable that changes', () => {
  expect(files.flatMap(variablesOf)).toEqual([]);
  expect(variablesOf(sourceFile('a.ts', 'const a = 1;\nlet b = 2;\nexport let c;'))).toEqual([
    'a.ts: b',
    'a.ts: c',
  ]);
});

describe('the law of floors goes red', () => {
  test.each([
    ['when data imports a feature', 'data/live/state.ts', '../../features/emoji/index.ts'],
    ['when the base imports data', 'base/toasts/toasts.tsx', '../../data/live/state.ts'],
    ['when a feature imports the application', 'features/inbox/inbox.tsx', '../../app/shell.tsx'],
    ['when a feature passes the door of another by', 'features/inbox/inbox.tsx', '../emoji/glyph.tsx'],
  ])('%s', (_, path, target) => {
    expect(wrongWays([sourceFile(`${client}/${path}`, `import { a } from '${target}';`)])).toHaveLength(1);
  });
});

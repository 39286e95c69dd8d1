import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { circlesOfFolders } from './folders.ts';
import { filesIn, root, sourceFile } from './source-files.ts';

const roomsIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const rooms = [...roomsIn('shared'), ...roomsIn('services'), 'infra', 'test'];

test.each(rooms)('no folders of %s import each other in a circle', (room) => {
  expect(circlesOfFolders(room, filesIn(room))).toEqual([]);
});

test('folders that import each other are named with the files that tie them', () => {
  const files = [
    sourceFile('shared/kit/src/a/one.ts', "import { two } from '../b/deep/two.ts';"),
    sourceFile('shared/kit/src/b/deep/two.ts', "import { three } from '../../c/three.ts';"),
    sourceFile('shared/kit/src/c/three.ts', "import type { Four } from '../a/four.ts';"),
    sourceFile('shared/kit/src/a/four.ts', "import { five } from '../d/five.ts';"),
    sourceFile('shared/kit/src/d/five.ts', ''),
  ];
  expect(circlesOfFolders('shared/kit', files)).toEqual([
    [
      'shared/kit/src/a → shared/kit/src/b: shared/kit/src/a/one.ts imports shared/kit/src/b/deep/two.ts',
      'shared/kit/src/b → shared/kit/src/c: shared/kit/src/b/deep/two.ts imports shared/kit/src/c/three.ts',
      'shared/kit/src/c → shared/kit/src/a: shared/kit/src/c/three.ts imports shared/kit/src/a/four.ts',
    ],
  ]);
});

test('folders inside a folder are beside each other too, and a folder is not beside the files above it', () => {
  const files = [
    sourceFile('shared/kit/src/a/b/one.ts', "import { two } from '../c/two.ts';"),
    sourceFile('shared/kit/src/a/c/two.ts', "import { one } from '../b/one.ts';"),
    sourceFile('shared/kit/src/a/three.ts', "import { one } from './b/one.ts';"),
    sourceFile('shared/kit/src/a/d/four.ts', "import { three } from '../three.ts';"),
  ];
  expect(circlesOfFolders('shared/kit', files).map((circle) => circle.length)).toEqual([2]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { repoRoot } from './paths.ts';

const module = JSON.stringify(join(repoRoot(), 'infra/dist/dev/machine/tied-folder.js'));

test.each(['SIGKILL', 'SIGINT'] as const)(
  'folders are gone when their process ends by %s',
  async (signal) => {
    const script = `
    import { writeFileSync } from 'node:fs';
    import { makeTiedFolder } from ${module};
    const paths = [await makeTiedFolder('parley-tied-'), await makeTiedFolder('parley-tied it is-')];
    for (const path of paths) writeFileSync(path + '/file', 'text');
    console.log(JSON.stringify(paths));
    setInterval(() => undefined, 1000);
  `;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(owner.stdout), 'line');
    const paths: string[] = JSON.parse(line);
    expect(paths.map((path) => existsSync(path))).toEqual([true, true]);

    owner.kill(signal);

    await eventually(() => !paths.some((path) => existsSync(path)));
  },
);

test('one shell watches over all folders of a process', async () => {
  const script = `
    import { execFileSync } from 'node:child_process';
    import { makeTiedFolder } from ${module};
    await Promise.all([1, 2, 3].map(() => makeTiedFolder('parley-tied-')));
    await makeTiedFolder('parley-tied-');
    console.log(execFileSync('ps', ['-o', 'comm=', '--ppid', String(process.pid)], { encoding: 'utf8' }));
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const children = (await owner.stdout.toArray()).join('').split('\n');
  expect(children.filter((name) => name === 'sh')).toHaveLength(1);
});

test('a folder does not keep its process from ending', async () => {
  const script = `import { makeTiedFolder } from ${module}; await makeTiedFolder('parley-tied-');`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  expect(await once(owner, 'exit')).toEqual([0, null]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { repoRoot } from './paths.ts';

const module = JSON.stringify(join(repoRoot(), 'infra/dist/dev/machine/tied-folder.js'));

test.each(['SIGKILL', 'SIGINT'] as const)('a folder is gone when its process ends by %s', async (signal) => {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { makeTiedFolder } from ${module};
    const path = await makeTiedFolder('parley-tied-');
    writeFileSync(path + '/file', 'text');
    console.log(path);
    setInterval(() => undefined, 1000);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [path] = await once(createInterface(owner.stdout), 'line');
  expect(existsSync(path)).toBe(true);

  owner.kill(signal);

  await eventually(() => !existsSync(path));
});

test('a folder does not keep its process from ending', async () => {
  const script = `import { makeTiedFolder } from ${module}; await makeTiedFolder('parley-tied-');`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  expect(await once(owner, 'exit')).toEqual([0, null]);
});

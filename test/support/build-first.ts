import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each project loads this module anew, so that what was built for one of them stands beside the modules. */
const shared = globalThis as typeof globalThis & { parleyBuilt?: Promise<void> | undefined };

/** Builds the rooms that test files import, and then starts the servers that they share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await (shared.parleyBuilt ??= build());
  // This imports rooms itself, so that it is loaded when they are built.
  const servers = await import('./global-setup.ts');
  const stop = await servers.setup(project);
  return async () => {
    shared.parleyBuilt = undefined;
    await stop();
  };
}

/** Builds what has changed, and bundles it for the processes that tests start. What tsc finds wrong it says, and builds all the same: a test may be tried before its types. */
async function build(): Promise<void> {
  const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '--build'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(tsc, 'exit');
  const { bundleServices } = await import('@parley/infra');
  await bundleServices({ root, say: () => {} });
}

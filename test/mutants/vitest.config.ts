import { readFileSync, readdirSync } from 'node:fs';

import { defineConfig } from 'vitest/config';

import { areas } from './areas.ts';

const area = areas.find(({ name }) => name === process.env.MUTANTS_AREA);
if (!area) throw new Error('MUTANTS_AREA names no area.');

/**
 * Rooms by the name they are imported by. Without this they would resolve to the checkout, where nothing is changed: the
 * copy that is has the node_modules of the checkout.
 */
const alias = ['shared', 'services', '.'].flatMap((folder) =>
  readdirSync(folder).flatMap((room) => roomAlias(`${folder}/${room}`)),
);

function roomAlias(folder: string) {
  const text = readIfThere(`${folder}/package.json`);
  const { name, exports } = JSON.parse(text ?? '{}');
  const source = exports?.['.']?.source ?? exports?.source;
  return source
    ? [{ find: new RegExp(`^${name}$`), replacement: `${process.cwd()}/${folder}/${source}` }]
    : [];
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const resolve = { conditions: ['source', 'node', 'development'] };

export default defineConfig({
  resolve: { alias },
  ssr: { resolve },
  environments: { __vitest__: { resolve } },
  test: {
    include: [...area.tests],
    exclude: ['**/node_modules/**', '**/dist/**'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['test/mutants/each-file.ts', ...(area.needsServers ? ['test/support/each-file.ts'] : [])],
    globalSetup: area.needsServers ? ['test/support/global-setup.ts'] : [],
  },
});

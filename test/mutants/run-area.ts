import { Stryker } from '@stryker-mutator/core';

import type { Area } from './areas.ts';

/** Changes an area, or some files of it, one place at a time, and says which changes its tests noticed. */
export async function runArea({ name, mutate, needsServers }: Area, files: readonly string[]) {
  process.env.MUTANTS_AREA = name;
  // What fifty random histories miss, a test with a name should notice.
  process.env.FC_RUNS = '50';
  return await new Stryker({
    mutate: [...(files.length > 0 ? files : mutate), '!**/*.test.ts', '!**/*.test-support.ts'],
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    ignorePatterns: ['.parley', '.turbo', 'coverage'],
    tempDirName: '.parley/mutants/copies',
    disableTypeChecks: false,
    // What it does to a tsconfig.json needs a compiler that can be imported.
    tsconfigFile: 'none',
    reporters: ['progress-append-only'],
    concurrency: 2,
    timeoutMS: needsServers ? 60_000 : 5000,
    warnings: false,
    allowConsoleColors: false,
  }).runMutationTest();
}

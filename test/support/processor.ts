import { getPriority } from 'node:os';

import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time that the worker took for a file, its modules included, but not what it started. */
    processorSeconds?: number;
  }
}

const before = process.cpuUsage();
const priority = getPriority();

// oxlint-disable-next-line no-empty-pattern -- vitest reads from its source that no fixture is wanted
afterAll(({}, { file }) => {
  const { user, system } = process.cpuUsage(before);
  file.meta.processorSeconds = (user + system) / 1e6;
});
/** The files that follow would starve where other programs run. */
afterAll(() => {
  if (getPriority() !== priority)
    throw new Error('A test changed the priority of the process that runs all tests.');
});

import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time that the worker took for a file, its modules included, but not what it started. */
    processorSeconds?: number;
  }
}

const before = process.cpuUsage();

// oxlint-disable-next-line no-empty-pattern -- vitest reads from its source that no fixture is wanted
afterAll(({}, { file }) => {
  const { user, system } = process.cpuUsage(before);
  file.meta.processorSeconds = (user + system) / 1e6;
});

import { readdir, stat } from 'node:fs/promises';

import { gauge, registry } from './metrics.ts';

const folder = '/proc/self/fd';
const name = 'process_open_fds';

/**
 * Counts open files without holding anybody up. The library's own gauge lists them all at once, which takes tens of
 * milliseconds where there are thousands of connections.
 */
export function measureOpenFiles(): void {
  registry.removeSingleMetric(name);
  gauge(name, 'Number of open file descriptors.').watch(async (set) => {
    // A newer Linux says how many there are; an older one, and any other system, says 0 or nothing.
    const { size } = await stat(folder);
    set(size > 0 ? size : (await readdir(folder, { encoding: 'buffer' })).length);
  });
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/** What a Node would do whose sockets keep to themselves what they receive. */
const patch = `
  import { Socket } from 'node:net';
  const { push } = Socket.prototype;
  Object.defineProperty(Socket.prototype, 'push', { get: () => push, set: () => undefined });
`;

test('a queue node whose Node has other sockets says so and exits with 1', () => {
  const main = join(import.meta.dirname, '../../services/queue/dist/main.js');
  const preload = `data:text/javascript,${encodeURIComponent(patch)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, main], { encoding: 'utf8' });
  expect(stderr).toBe(
    `Node ${process.version} handles connections in a way that queue nodes do not support. Run Parley with Node 20, 22, 24 or 26.\n`,
  );
  expect(status).toBe(1);
});

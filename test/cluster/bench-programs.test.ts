import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { expect, test, vi } from 'vitest';

const processes = fileURLToPath(new URL('../dist/bench/processes.js', import.meta.url));

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

test('a program that is measured ends with the benchmark, however that ends', async () => {
  const script = `
    import { startProgram } from ${JSON.stringify(processes)};
    const { port } = await startProgram('test/dist/bench/floor-server.js', {});
    console.log(port);
    setInterval(() => undefined, 1000);
  `;
  const benchmark = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(benchmark.stdout), 'line');
  const port = Number(line);
  expect(await listens(port)).toBe(true);

  benchmark.kill('SIGKILL');

  await vi.waitUntil(async () => !(await listens(port)), { timeout: 60_000 });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeLeftFolders } from '@parley/kit';
import { expect, onTestFinished, test, vi } from 'vitest';

/** The built file: a process cannot load the sources. */
const built = new URL('../../dist/http/receive.js', import.meta.url).href;
/** Receives a file whose body does not end. */
const program = `
  const { receive } = await import(process.argv[1]);
  const { PassThrough } = await import('node:stream');
  const body = new PassThrough();
  const limit = { mebibytesMax: 1, fieldBytesMax: 1000, tooLarge: 'Too large.' };
  void receive(body, 'multipart/form-data; boundary=b', limit);
  body.write('--b\\r\\ncontent-disposition: form-data; name="f"; filename="a.txt"\\r\\n\\r\\n' + 'x'.repeat(100_000), () => {
    process.stdout.write('received');
  });
  process.stdin.resume();`;

test('a file that a process was receiving when it was killed is removed by the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rc-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, built], {
    cwd: import.meta.dirname,
    env: { TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const isHeld = async () =>
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^parley-upload-/)]);
  await vi.waitFor(isHeld, { timeout: 60_000 });
  await removeLeftFolders();
  expect(await readdir(folder)).toHaveLength(1);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await removeLeftFolders();
  expect(await readdir(folder)).toEqual([]);
});

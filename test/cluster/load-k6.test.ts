import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { goProgramPath } from '@parley/infra';
import { expect, test } from 'vitest';

import { k6 } from '../load/k6/k6.ts';

const program = fileURLToPath(new URL('../dist/load/k6/main.js', import.meta.url));

// To build it takes minutes and a module proxy: `npm run load:k6` does.
test.skipIf(!existsSync(goProgramPath(k6)))('the script for k6 polls, asks, and meets no error', async () => {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const sizes = ['--pollers', '40', '--seconds', '8', '--pace', '4', '--api', '1', '--queue', '1'];
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(process.execPath, [program, ...sizes, '--worker', '0'], { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
  expect(stdout).toContain('✓ POST /messages is answered');
  expect(stdout).toContain('✓ GET /events is answered');
  expect(stdout).toMatch(/events_heard\.*: [1-9]/);
  expect(code).toBe(0);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { getWorld } from './world.ts';

const program = new URL('../../services/cli/bin/parley.js', import.meta.url).pathname;

interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line as it was built, over the file's database and Redis. */
export async function parley(
  args: string[],
  { stdin = '', env = {} }: { stdin?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<CommandRun> {
  const { databaseUrl, redisUrl, secret, partitions } = await getWorld();
  const settings = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PARLEY_SECRET: secret,
    LOG_PARTITIONS: String(partitions),
    FAKE_EMAIL_DOMAIN: 'fake.invalid',
    ...env,
  };
  const running = promisify(execFile)(process.execPath, [program, ...args], { env: settings });
  running.child.stdin?.end(stdin);
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: CommandRun) => ({ code, stdout, stderr }),
  );
}

/** Runs a command with `--json` that has to succeed; answers with what it prints. */
export async function parleyJson<Result>(
  args: string[],
  input?: Parameters<typeof parley>[1],
): Promise<Result> {
  const { code, stdout, stderr } = await parley([...args, '--json'], input);
  if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Result;
}

/** Tests that start processes have more time: starting one takes seconds where a machine is busy. */
export const withProcesses = { timeout: 180_000 };

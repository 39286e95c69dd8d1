import { execFile } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

import { runCommandLine } from '@parley/cli';

import { getWorld } from './world.ts';

/** The command line as it was built. */
export const parleyProgram = new URL('../../services/cli/bin/parley.js', import.meta.url).pathname;

interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

interface Input {
  stdin?: string;
  env?: NodeJS.ProcessEnv;
}

/** The settings by which a process finds the file's database and Redis. */
export async function settingsOfWorld(): Promise<NodeJS.ProcessEnv> {
  const { nodeUrl, redisUrl, secret, partitions } = await getWorld();
  return {
    DATABASE_URL: nodeUrl,
    REDIS_URL: redisUrl,
    PARLEY_SECRET: secret,
    LOG_PARTITIONS: String(partitions),
    FAKE_EMAIL_DOMAIN: 'fake.invalid',
  };
}

/** What the command line is given. */
async function settingsWith(args: readonly string[], env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const settings = await settingsOfWorld();
  // Only who migrates has to own the tables.
  if (args.includes('migrate')) settings['DATABASE_URL'] = (await getWorld()).databaseUrl;
  return { ...settings, ...env };
}

/** Collects what is written. */
function createSink() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/** Runs the command line over the file's database and Redis, in this process: starting one for each costs seconds. */
export async function parley(args: string[], { stdin = '', env = {} }: Input = {}): Promise<CommandRun> {
  const [stdout, stderr] = [createSink(), createSink()];
  const input = Readable.from(stdin === '' ? [] : [Buffer.from(stdin)], { objectMode: false });
  const process: Parameters<typeof runCommandLine>[1] = {
    stdin: input,
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  await runCommandLine(args, process, await settingsWith(args, env));
  return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs the command line as it was built, as a process. */
export async function parleyProcess(
  args: string[],
  { stdin = '', env = {} }: Input = {},
): Promise<CommandRun> {
  const settings = { PATH: process.env['PATH'], ...(await settingsWith(args, env)) };
  const running = promisify(execFile)(process.execPath, [parleyProgram, ...args], { env: settings });
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

/**
 * Tests that start processes have more time: starting one takes seconds where a machine is busy. What is imported is rendered by
 * threads of low priority, which have a thirtieth of a processor there.
 */
export const withProcesses = { timeout: 900_000 };

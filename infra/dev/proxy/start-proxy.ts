import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { repoRoot } from '../machine/paths.ts';
import { connectOnce, retryUntil } from '../machine/retry-until.ts';
import { Supervised } from '../machine/supervise.ts';
import { tail } from '../machine/tail.ts';
import { spawnTied } from '../machine/tied-process.ts';
import type { Capacity } from './capacity.ts';
import { nginxCommand } from './nginx-command.ts';
import type { ProxyCommand, ProxyOptions } from './proxy-options.ts';

export interface Proxy extends AsyncDisposable {
  readonly pid: number | undefined;
  source: string;
  /** What it and the queue nodes can hold; null if that was not computed. */
  capacity: Capacity | null;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/**
 * Starts the proxy: one address in front of all nodes. Its guarantees about routing and retries are in
 * infra/README.md.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  return await runProxy(options, await chooseCommand(options));
}

/** Runs a command as the proxy: it listens on the port, and is started again when it ends. */
export async function runProxy(
  { dir, port, say }: Pick<ProxyOptions, 'dir' | 'port' | 'say'>,
  { command, args, env, user, source, capacity }: ProxyCommand,
): Promise<Proxy> {
  const logs = join(resolve(dir), 'logs');
  await mkdir(logs, { recursive: true });
  const log = join(logs, 'proxy.log');

  const proxy = new Supervised(
    {
      name: 'proxy',
      spawn() {
        const output = openSync(log, 'a');
        const stdio = ['ignore', output, output] as const;
        const child = spawnTied(command, args, {
          cwd: '/',
          env,
          user,
          stdio: [...stdio],
          deathSignal: 'TERM',
        });
        closeSync(output);
        return child;
      },
      ready: (_, signal) => retryUntil(() => connectOnce(port), signal),
      readyMsMax: 15_000,
      stopSignal: 'SIGTERM',
    },
    say,
  );
  await proxy.start().catch(async (error: Error) => {
    throw new Error(`${error.message}. The end of ${log}:\n${await tail(log)}`, { cause: error });
  });

  return {
    get pid() {
      return proxy.pid;
    },
    source,
    capacity,
    kill: (signal) => proxy.kill(signal),
    stop: () => proxy.stop(),
    [Symbol.asyncDispose]: () => proxy.stop(),
  };
}

async function chooseCommand(options: ProxyOptions): Promise<ProxyCommand> {
  const { kind, say } = options;
  if (kind === 'node') return nodeCommand(options);
  try {
    return await nginxCommand(options);
  } catch (error) {
    if (kind === 'nginx') throw error;
    say(`${String(error)}\nA small proxy in Node takes its place.`);
    return nodeCommand(options);
  }
}

function nodeCommand({ port, api, queue, spare, connectionsPerAddress }: ProxyOptions): ProxyCommand {
  const program = join(repoRoot(), 'infra/dist/dev/proxy/node-proxy-main.js');
  return {
    command: process.execPath,
    args: [
      program,
      String(port),
      [...api, ...(spare?.api ?? [])].join(),
      [...queue, ...(spare?.queue ?? [])].join(),
      String(connectionsPerAddress ?? ''),
    ],
    env: { PATH: process.env.PATH },
    source: 'a small proxy in Node',
    capacity: null,
  };
}

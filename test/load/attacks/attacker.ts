import { type ForkOptions, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Attack, People } from './attacks.ts';

/** What the attacker's process is started with. */
export interface Orders {
  baseUrl: string;
  /** Of the organization. */
  host: string;
  /** The address that it comes from. */
  localAddress: string;
  name: Attack['name'];
  people: People;
}

/** A process that attacks. */
export interface Attacker {
  begin: () => void;
  /** Resolves with what it was answered: the number of replies by status. */
  stop: () => Promise<Record<number, number>>;
}

/** How a process is started that has the processors while nobody else wants them; as any other, where that is not possible. */
const whenIdle = (): ForkOptions =>
  spawnSync('chrt', ['--idle', '0', 'true']).status === 0
    ? { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] }
    : {};

/**
 * Starts a process that has prepared its attack. Whoever attacks has a machine of their own: where all share one, the
 * others' processes come first, so that what is measured is what the servers do.
 */
export async function startAttacker(orders: Orders): Promise<Attacker> {
  const child = fork(fileURLToPath(new URL('attacker-main.js', import.meta.url)), whenIdle());
  const told = async () => {
    const [message]: unknown[] = await once(child, 'message');
    return message;
  };
  child.send(orders);
  await told();
  return {
    begin: () => void child.send('begin'),
    async stop() {
      child.send('stop');
      // Safe: the process sends nothing else.
      return (await told()) as Record<number, number>;
    },
  };
}

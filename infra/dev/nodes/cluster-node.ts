import { appendFileSync, closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

import type { Say } from '../machine/say.ts';
import { Supervised } from '../machine/supervise.ts';
import { spawnTied } from '../machine/tied-process.ts';

export const roles = ['api', 'queue', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface NodeSettings {
  role: Role;
  /** Counts from 1 within the role. */
  number: number;
  port: number;
  entry: string;
  env: NodeJS.ProcessEnv;
  log: string;
}

/** A slot of the cluster: its name, port and log stay, the process in it may change. */
export interface ClusterNode {
  readonly name: string;
  readonly role: Role;
  readonly port: number;
  readonly url: string;
  readonly log: string;
  readonly pid: number | undefined;
  readonly isReady: boolean;
}

export class NodeProcess extends Supervised implements ClusterNode {
  readonly name: string;
  readonly role: Role;
  readonly port: number;
  readonly url: string;
  readonly log: string;

  constructor({ role, number, port, entry, env, log }: NodeSettings, say: Say) {
    const name = `${role}-${number}`;
    super(
      {
        name,
        spawn() {
          const errors = openSync(log, 'a');
          const child = spawnTied(process.execPath, [entry], {
            env,
            stdio: ['ignore', 'pipe', errors],
            // Without the supervisor its proxy and stores are gone, too: there is nothing to drain for.
            deathSignal: 'KILL',
          });
          closeSync(errors);
          return child;
        },
        ready: (child) =>
          new Promise((resolve) => {
            if (!child.stdout) return;
            createInterface({ input: child.stdout }).on('line', (line) => {
              if (announcesReady(line)) resolve(line);
              else appendFileSync(log, `${line}\n`);
            });
          }),
        readyMsMax: 30_000,
        stopSignal: 'SIGTERM',
      },
      say,
    );
    this.name = name;
    this.role = role;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.log = log;
  }
}

function announcesReady(line: string): boolean {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' && said !== null && 'ready' in said && said.ready === true;
  } catch {
    return false;
  }
}

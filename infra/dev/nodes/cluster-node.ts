import { appendFileSync, closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

import type { Say } from '../machine/say.ts';
import { Supervised } from '../machine/supervise.ts';
import { spawnTied } from '../machine/tied-process.ts';

export const roles = ['api', 'queue', 'worker'] as const;
export type Role = (typeof roles)[number];

/** The number of nodes of each role. */
export type NodeCounts = Record<Role, number>;

export interface NodeSettings {
  role: Role;
  /** The number of the node within its role, from 1. */
  number: number;
  port: number;
  metricsPort: number;
  entry: string;
  env: NodeJS.ProcessEnv;
  log: string;
}

/** A node of the cluster. Its name, port and log stay the same; its process may be replaced. */
export interface ClusterNode {
  readonly name: string;
  readonly role: Role;
  /** The number of the node within its role, from 1. */
  readonly number: number;
  readonly port: number;
  readonly url: string;
  /** The address of its metrics, which no client can reach. */
  readonly metricsUrl: string;
  readonly log: string;
  readonly pid: number | undefined;
  readonly isReady: boolean;
}

export class NodeProcess extends Supervised implements ClusterNode {
  readonly name: string;
  readonly role: Role;
  readonly number: number;
  readonly port: number;
  readonly url: string;
  readonly metricsUrl: string;
  readonly log: string;

  constructor({ role, number, port, metricsPort, entry, env, log }: NodeSettings, say: Say) {
    const name = `${role}-${number}`;
    super(
      {
        name,
        spawn() {
          const errors = openSync(log, 'a');
          const child = spawnTied(process.execPath, [entry], {
            env,
            stdio: ['ignore', 'pipe', errors],
            // Without the supervisor, the proxy and the stores have ended too, so draining is pointless.
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
        readyMsMax: 120_000,
        stopSignal: 'SIGTERM',
      },
      say,
    );
    this.name = name;
    this.role = role;
    this.number = number;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    this.log = log;
  }
}

function announcesReady(line: string): boolean {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;
  } catch {
    return false;
  }
}

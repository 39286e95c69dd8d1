import type { Say } from '../machine/say.ts';
import type { ServerUser } from '../machine/server-user.ts';
import type { Capacity } from './capacity.ts';

export type ProxyKind = 'nginx' | 'node';

/** Requests at once, parked polls included. Wide, because all of a developer's programs have one address. */
export const connectionsPerAddressMax = 20_000;

export interface ProxyOptions {
  dir: string;
  port: number;
  /** The ports of the nodes on loopback. */
  api: readonly number[];
  queue: readonly number[];
  /** Ports at which nodes may come later. They are tried about once a second. */
  spare?: { api: readonly number[]; queue: readonly number[] };
  /** The default is nginx, or Node if nginx cannot be found. */
  kind?: ProxyKind | undefined;
  /** Requests at once from one address, parked polls included. Default: a great many. */
  connectionsPerAddress?: number;
  /** Addresses from which nginx connects to nodes. Default: as many as the system's limits ask for. */
  sources?: readonly string[];
  say: Say;
}

export interface ProxyCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  user?: ServerUser | undefined;
  /** Where the program comes from, for people. */
  source: string;
  /** What it and the queue nodes can hold; null if that was not computed. */
  capacity: Capacity | null;
}

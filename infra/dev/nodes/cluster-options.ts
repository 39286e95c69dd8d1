import type { Say } from '../machine/say.ts';
import type { ProxyKind } from '../proxy/proxy-options.ts';
import type { ClusterBackends } from './cluster-backends.ts';
import type { NodeCounts, Role } from './cluster-node.ts';

export interface ClusterOptions extends NodeCounts {
  dir: string;
  /** The port of the proxy; a free one by default. */
  port?: number | undefined;
  /** Variables that are added to the environment of every node. */
  env?: NodeJS.ProcessEnv;
  /** Variables of one node, by its role and number. */
  envOf?: (role: Role, number: number) => NodeJS.ProcessEnv;
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** Servers that follow Postgres, for exact reads; none by default. They need a Postgres of our own. */
  replicas?: number;
  /** One Redis by default. */
  redis?: 'alone' | 'sentinel' | 'cluster' | undefined;
  /** False makes Postgres faster and unsafe in a power cut, for tests. Default true. */
  durable?: boolean;
  proxy?: ProxyKind | undefined;
  /** The program of a role. The default is the bundle of the service that was built in this checkout. */
  entryOf?: (role: Role) => string;
  /** Called when Postgres and Redis answer, before the first node starts. The default migrates the database. */
  prepare?: (backends: ClusterBackends) => Promise<void>;
  /** A signal that aborts a start in progress. */
  signal?: AbortSignal;
  say?: Say;
}

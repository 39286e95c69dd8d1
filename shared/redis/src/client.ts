import { Cluster, Redis, type RedisOptions } from 'ioredis';

import { parseRedisUrl } from './servers.ts';

/** Options of each connection. */
type ClientOptions = Omit<
  RedisOptions,
  'host' | 'port' | 'db' | 'username' | 'password' | 'tls' | 'path' | 'sentinels'
>;

/** For how often a command looks for the node that has its key, and how long between: a second in all. */
const redirections = { maxRedirections: 8, retryDelayOnFailover: 100, retryDelayOnClusterDown: 100 };

/** Opens a client of the server, the sentinels' master or the cluster that the URL names. */
export function openClient(url: string, options: ClientOptions, sharded = false): Redis {
  const { kind, hosts, master, db, username, password, sentinelPassword, tls } = parseRedisUrl(url);
  const access = { ...(username && { username }), ...(password && { password }), ...(tls && { tls }) };
  if (kind === 'cluster') {
    const { retryStrategy, enableOfflineQueue, enableAutoPipelining, enableReadyCheck, ...ofNodes } = options;
    const cluster = new Cluster(hosts, {
      ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
      ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
      ...(enableAutoPipelining !== undefined && { enableAutoPipelining }),
      ...(enableReadyCheck !== undefined && { enableReadyCheck }),
      // Pipelines are made by the first argument, which of this command is no key.
      autoPipeliningIgnoredCommands: ['memory'],
      slotsRefreshTimeout: 1000,
      slotsRefreshInterval: 2000,
      shardedSubscribers: sharded,
      ...redirections,
      // Certificates are for names, so names are not replaced by addresses.
      ...(tls && { dnsLookup: (name, done) => done(null, name) }),
      redisOptions: { ...ofNodes, ...access },
    });
    // Safe: a cluster's client has the same commands, status and events. What has no key goes to any node of it; what
    // every node is to be asked goes through mastersOf.
    return cluster as unknown as Redis;
  }
  const [first] = hosts;
  if (kind === 'alone') return new Redis({ ...options, ...first, ...access, db });
  const ofSentinels: RedisOptions = {
    ...options,
    ...access,
    db,
    sentinels: hosts,
    name: master ?? '',
    ...(sentinelPassword && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    // Whoever is still connected to a server that is no master any more asks the sentinels again.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  };
  return new Redis(ofSentinels);
}

/** Returns the servers that have the data between them: one, or the masters of a cluster. */
export function mastersOf(redis: Redis): Redis[] {
  const client: unknown = redis;
  return client instanceof Cluster ? client.nodes('master') : [redis];
}

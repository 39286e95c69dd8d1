export { startPostgres, type Postgres, type PostgresOptions } from './postgres/start-postgres.ts';
export { startRedis, type Redis, type RedisOptions } from './redis/start-redis.ts';
export type { Say } from './machine/say.ts';
export { startCluster, type Cluster, type ClusterOptions, type Ground } from './nodes/start-cluster.ts';
export { roles, type ClusterNode, type Role } from './nodes/cluster-node.ts';
export { startProxy, type Proxy, type ProxyKind, type ProxyOptions } from './proxy/start-proxy.ts';
export { createNodeProxy } from './proxy/node-proxy.ts';

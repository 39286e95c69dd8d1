export { freePort } from './machine/free-port.ts';
export type { Say } from './machine/say.ts';
export { roles, type ClusterNode, type Role } from './nodes/cluster-node.ts';
export type { ClusterBackends } from './nodes/cluster-backends.ts';
export { startCluster, type Cluster, type ClusterOptions } from './nodes/start-cluster.ts';
export { startPostgres, type Postgres, type PostgresOptions } from './postgres/start-postgres.ts';
export type { Redis } from './redis/redis.ts';
export { startRedis, type RedisOptions } from './redis/start-redis.ts';
export { type DemoUser, seedDemo } from './seed.ts';

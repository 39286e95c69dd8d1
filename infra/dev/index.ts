export { freePort } from './machine/free-port.ts';
export { type Ldap, startLdap } from './ldap/start-ldap.ts';
export type { ClusterBackends } from './nodes/cluster-backends.ts';
export type { ClusterNode, Role } from './nodes/cluster-node.ts';
export { type Cluster, startCluster } from './nodes/start-cluster.ts';
export { bodyMebibytesMax } from './proxy/refusals.ts';
export { startPostgres } from './postgres/start-postgres.ts';
export { startRedis } from './redis/start-redis.ts';
export { type DemoUser, seedDemo } from './seed.ts';

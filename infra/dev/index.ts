export { startPostgres, type Postgres, type PostgresOptions } from './postgres/start-postgres.ts';
export { startRedis, type Redis, type RedisOptions } from './redis/start-redis.ts';
export type { Say } from './machine/say.ts';

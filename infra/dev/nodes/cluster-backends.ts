/** What all nodes of a cluster need: the database, Redis, and the server secret. */
export interface ClusterBackends {
  databaseUrl: string;
  redisUrl: string;
  secret: string;
}

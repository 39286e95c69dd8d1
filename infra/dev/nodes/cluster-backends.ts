/** What all nodes of a cluster need: the database, Redis, and the server secret. */
export interface ClusterBackends {
  databaseUrl: string;
  /** Servers that follow it; none by default. */
  replicaUrls?: readonly string[];
  redisUrl: string;
  secret: string;
}

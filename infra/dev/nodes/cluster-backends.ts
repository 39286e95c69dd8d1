/** What the nodes live on. */
export interface ClusterBackends {
  databaseUrl: string;
  redisUrl: string;
  secret: string;
}

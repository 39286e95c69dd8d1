/** What the nodes live on. */
export interface Ground {
  databaseUrl: string;
  redisUrl: string;
  secret: string;
}

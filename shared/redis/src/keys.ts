/**
 * Every key pattern. Braces are Redis Cluster hash tags: keys that one command or script touches share one.
 */
export const keys = {
  /** Stream that carries one partition of the realms' logs. */
  log: (partition: number) => `parley:{log:${partition}}`,
  /** Channel that carries one partition of the realms' ephemeral events. */
  ephemeral: (partition: number) => `parley:{live:${partition}}`,
  /** Number of a realm's newest ephemeral event. */
  ephemeralNumber: (partition: number, realmId: number) => `parley:{live:${partition}}:n:${realmId}`,
  /** One event queue: its record, JSON. Lives as long as the queue may idle. */
  queue: (queueId: string) => `parley:{q:${queueId}}`,
  /** The queue node where the queue's latest poll waits. */
  queueHolder: (queueId: string) => `parley:{q:${queueId}}:holder`,
  /** Present while Redis has not lost its memory; its value is when it was first written, in milliseconds. */
  registrySince: 'parley:registry-since',
  /** Channel on which nodes tell each other about queues that ended. */
  queuesEnded: 'parley:queues-ended',
  /** Channel on which one queue node is told that another took a queue over. */
  queuesTaken: (nodeId: string) => `parley:queues-taken:${nodeId}`,
  /** Prefix of the rate limiters' counters. */
  rateLimit: 'parley:limit',
  /** Prefix of BullMQ's keys. */
  jobs: '{parley:jobs}',
} as const;

/** A realm's log always travels on the same partition. */
export const partitionOf = (realmId: number, partitions: number) => realmId % partitions;

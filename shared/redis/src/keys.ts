/** Every key pattern. Braces are Redis Cluster hash tags: keys that one command or script touches share one. */
export const keys = {
  /** Stream that carries one partition of the realms' logs. */
  log: (partition: number) => `parley:{log:${partition}}`,
  /** Channel that carries one partition of the realms' ephemeral events. */
  ephemeral: (partition: number) => `parley:{live:${partition}}`,
  /** Number of a realm's newest ephemeral event. */
  ephemeralNumber: (partition: number, realmId: number) => `parley:{live:${partition}}:n:${realmId}`,
  /** The entry behind which that event is, and when it was published. */
  ephemeralPlace: (partition: number, realmId: number) => `parley:{live:${partition}}:place:${realmId}`,
  /** The JSON of one event queue's record. It lives as long as the queue may idle. */
  queue: (queueId: string) => `parley:{q:${queueId}}`,
  /** The ids of a user's queues, each with the time in milliseconds until which it may idle. */
  queuesOf: (userId: number) => `parley:{u:${userId}}:queues`,
  /** The queue node where the queue's latest poll waits. */
  queueHolder: (queueId: string) => `parley:{q:${queueId}}:holder`,
  /**
   * The time in milliseconds since which each run of a server has been known. It is gone when Redis has lost its data;
   * a server that was restarted, or has taken another's place, is not in it yet.
   */
  runs: 'parley:runs',
  /** Channel on which nodes announce queues that were deleted. */
  queuesEnded: 'parley:queues-ended',
  /** Channel on which one queue node receives the ids of queues that got another holder. */
  queuesTaken: (nodeId: string) => `parley:queues-taken:${nodeId}`,
  /** What each node says of itself, by its id: a hash. */
  nodes: 'parley:nodes',
  /** There while a queue node of a version before 0.9 runs or may be started again. */
  wideIds: 'parley:wide-ids',
  /** Prefix of the rate limiters' counters. */
  rateLimit: 'parley:limit',
  /** There for a while after something with this digest was sent to somebody outside. */
  sent: (digest: string) => `parley:sent:${digest}`,
  /** Prefix of BullMQ's keys. */
  jobs: '{parley:jobs}',
} as const;

/** Returns the partition of a realm's log, which is always the same. */
export const partitionOf = (realmId: number, partitions: number) => realmId % partitions;

import type { Hosts } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import type { Sql } from '@parley/log';
import { queueTimes } from '@parley/protocol';
import type { Redis } from '@parley/redis';

import type { ReplyLimits } from './core/collect-events.ts';
import type { RingLimits } from './core/ring.ts';
import type { RateLimit } from './rate-limit.ts';

export interface QueueNodeNeeds {
  sql: Sql;
  /** Opens a connection; the node closes it. */
  connectRedis(options: { name: string; blocking: boolean }): Redis;
  logger: Logger;
  clock: Clock;
  secret: string;
  hosts: Hosts;
  partitions: number;
  options?: Partial<QueueNodeOptions>;
}

/** What an operator or a test may want otherwise. */
export interface QueueNodeOptions extends RingLimits, ReplyLimits {
  /** How much of a realm's log is read when this node starts to follow it. */
  tailEntries: number;
  heartbeatMinMs: number;
  heartbeatSpreadMs: number;
  rateLimit: RateLimit;
  /** Over how long waiting polls are answered when the node drains. */
  drainMs: number;
}

export const queueNodeDefaults: QueueNodeOptions = {
  ringEntriesMax: 20_000,
  ringBytesMax: 64 * 1024 * 1024,
  repliedEventsMax: 1000,
  repliedBytesMax: 4 * 1024 * 1024,
  tailEntries: 2000,
  heartbeatMinMs: queueTimes.heartbeatMinMs,
  heartbeatSpreadMs: queueTimes.heartbeatSpreadMs,
  rateLimit: { windowSeconds: 60, requestsMax: 12_000 },
  drainMs: 3000,
};

import { serverConfig } from '@parley/kit';
import { queueTimes } from '@parley/protocol';
import { type RateLimitRule, RateLimitRules } from '@parley/redis';
import { z } from 'zod';

import type { ReplyLimits } from './core/collect-events.ts';
import { ephemeralMs } from './core/ephemerals.ts';
import type { RingLimits } from './core/ring.ts';

/** Variables that queue nodes read beside the common ones. */
export const queueConfig = {
  EVENTS_RATE_LIMIT: RateLimitRules.prefault('60:12000').describe(
    'Requests of a user for events at one queue node, as seconds:count.',
  ),
  ...serverConfig,
  RING_ENTRIES: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe('Recent log entries that a node keeps in memory for each organization.'),
  RING_MEGABYTES: z.coerce
    .number()
    .min(1)
    .default(32)
    .describe('Memory for these entries, in MiB for each organization.'),
  RING_TOTAL_MEGABYTES: z.coerce
    .number()
    .min(0.1)
    .default(128)
    .describe('Memory for the recent entries of all organizations together, in MiB for each node.'),
  LOG_POLLS_ONE_IN: z.coerce
    .number()
    .int()
    .min(0)
    .default(1000)
    .describe('One poll in this many is logged. 0 logs only polls that are slow or fail.'),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).default(8).describe('most connections to Postgres'),
};

/** What an operator or a test may change. */
export interface QueueNodeOptions extends RingLimits, ReplyLimits {
  /** Memory for the rings of all realms together. */
  ringTotalBytesMax: number;
  /** A ring that was not used for so long is emptied, at the latest after twice that. */
  ringAgeMs: number;
  /** How much of a realm's log is read when this node starts to follow it. */
  tail: { entries: number; bytes: number };
  /** How long an ephemeral event is kept for clients that are between two polls. */
  ephemeralMs: number;
  heartbeatMinMs: number;
  heartbeatSpreadMs: number;
  /** Requests for events per user on this node: the count is not shared with other nodes. */
  rateLimit: readonly RateLimitRule[];
  /** The time over which waiting polls are answered when the node drains. */
  drainMs: number;
  /** One of so many answers is logged; none if it is 0. */
  pollsLogged: number;
}

export const queueNodeDefaults: QueueNodeOptions = {
  ringEntriesMax: 20_000,
  ringBytesMax: 32 * 1024 * 1024,
  ringTotalBytesMax: 128 * 1024 * 1024,
  ringAgeMs: 600_000,
  repliedEventsMax: 1000,
  repliedBytesMax: 1024 * 1024,
  tail: { entries: 2000, bytes: 8 * 1024 * 1024 },
  ephemeralMs,
  heartbeatMinMs: queueTimes.heartbeatMinMs,
  heartbeatSpreadMs: queueTimes.heartbeatSpreadMs,
  rateLimit: [{ seconds: 60, count: 12_000 }],
  drainMs: 3000,
  pollsLogged: 1000,
};

import { z } from 'zod';

import { Client } from './client.ts';

/** An event queue: a filter over its realm's log, and where it starts. It holds no events. */
export const QueueRecord = z.object({
  id: z.string(),
  realmId: z.int(),
  /** The realm's name in host names. */
  realm: z.string(),
  /** The log's epoch at registration: numbers of another epoch mean nothing to this queue. */
  epoch: z.string(),
  userId: z.int(),
  /** Null hears every type. Heartbeats pass regardless. */
  eventTypes: z.array(z.string()).nullable(),
  client: Client,
  /** Narrows `message` events only. */
  narrow: z.array(z.tuple([z.string(), z.string()])),
  allPublicStreams: z.boolean(),
  /** Log position of the state the client was given: nothing up to it is ever delivered. */
  registeredAt: z.int(),
  /** Number of the realm's newest ephemeral event at registration: none up to it is delivered. */
  ephemeralAt: z.int().default(0),
  idleSeconds: z.int(),
});
export type QueueRecord = z.infer<typeof QueueRecord>;

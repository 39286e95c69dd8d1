import { z } from 'zod';

import { Client } from './client.ts';

/** The ids of events are dense, or those of versions before 0.9. */
const IdForm = z.enum(['wide', 'dense']);
export type IdForm = z.infer<typeof IdForm>;

/** An event queue: a filter over its realm's log, and the position where it starts. It holds no events. */
export const QueueRecord = z.object({
  /** Replies carry it as it is: it has no character that JSON or UTF-8 writes in another way. */
  id: z.string().regex(/^[\w-]+$/),
  realmId: z.int(),
  /** The realm's name in host names. */
  realm: z.string(),
  /** The log's epoch at registration. Seqs of another epoch have no meaning for this queue. */
  epoch: z.string(),
  /**
   * How far its node had read the log when the record was written. All cursors up to there are of the history that has
   * this entry. Older nodes do not say.
   */
  position: z.object({ seq: z.int(), term: z.string() }).optional(),
  userId: z.int(),
  /** Types of the events that the queue receives; null means every type. Heartbeats are always sent. */
  eventTypes: z.array(z.string()).nullable(),
  client: Client,
  /** The name of a program that mirrors messages of another service: those that it sends are not given back to it. */
  mirror: z.string().default(''),
  /** A filter that applies to `message` events only. */
  narrow: z.array(z.tuple([z.string(), z.string()])),
  allPublicStreams: z.boolean(),
  /** The seq up to which the client's initial state includes all entries. No entry up to it is delivered. */
  registeredAt: z.int(),
  /** The number of the realm's newest ephemeral event at registration. No ephemeral event up to it is delivered. */
  ephemeralAt: z.int().default(0),
  idForm: IdForm.default('wide'),
  /** When it was registered; unknown of queues that nodes before 0.9 registered. */
  registeredMs: z.int().optional(),
  idleSeconds: z.int(),
  /** The newest event that the client had acknowledged when the queue was last written, if it was polled. */
  acknowledged: z.int().optional(),
});
export type QueueRecord = z.infer<typeof QueueRecord>;

import { z } from 'zod';

/** Wire id = seq × ID_STEP + sub: room for what one entry expands to, then for heartbeats after it. */
export const ID_STEP = 1_000_000;

/**
 * Who hears an entry, fixed when it was appended: the listed `users` and the members of the immutable audiences
 * `members`; with neither, everyone in the realm. Never the users in `except`. `open`: also queues that asked for
 * all public channels.
 */
export const EntryAudience = z.object({
  users: z.array(z.int()).optional(),
  members: z.array(z.int()).optional(),
  except: z.array(z.int()).optional(),
  open: z.boolean().optional(),
});
export type EntryAudience = z.infer<typeof EntryAudience>;

/** One entry of a realm's log, as Postgres records it and Redis carries it. */
export const Entry = z.object({
  seq: z.int().positive(),
  /** Users whose credentials or account changed: their cached credentials are void, and live polls re-checked. */
  revokes: z.array(z.int()).optional(),
  audience: EntryAudience,
  event: z.looseObject({ type: z.string() }),
});
export type Entry = z.infer<typeof Entry>;
export type LogEvent = Entry['event'];

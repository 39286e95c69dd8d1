import { z } from 'zod';

/**
 * The users who receive an entry, fixed when it was appended: the listed `users` and the members of the immutable
 * audiences `members`; everyone in the realm if there are neither. Users in `except` never receive it. If `open` is
 * true, queues that asked for all public channels receive it too.
 */
export const EntryAudience = z.object({
  users: z.array(z.int()).optional(),
  members: z.array(z.int()).optional(),
  except: z.array(z.int()).optional(),
  open: z.boolean().optional(),
});
export type EntryAudience = z.infer<typeof EntryAudience>;

/** One entry of a realm's log, as Postgres stores it and Redis carries it. */
export const Entry = z.object({
  seq: z.int().positive(),
  /**
   * The term in which it was written: the time for which one run of one server writes the log, in one epoch. Within a term
   * there is one history. None for entries from before there were terms.
   */
  term: z.string().optional(),
  /** The term of the entry before it, in the first of a term. */
  previousTerm: z.string().optional(),
  /**
   * Users whose credentials or account changed. Their cached credentials are no longer valid, and their open polls
   * are authenticated again.
   */
  revokes: z.array(z.int()).optional(),
  audience: EntryAudience,
  /** How many entries before this one have no event, and leave it their ids. */
  rooms: z.int().optional(),
  event: z.looseObject({ type: z.string() }),
});
export type Entry = z.infer<typeof Entry>;
export type LogEvent = Entry['event'];

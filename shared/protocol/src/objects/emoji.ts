import { z } from 'zod';

/** A custom emoji of an organization. */
export const RealmEmoji = z.strictObject({
  /** The id as text, which is the emoji code of reactions with it. */
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  /** The address of a still picture of an animated emoji. */
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
});
export type RealmEmoji = z.infer<typeof RealmEmoji>;

import { z } from 'zod';

/** An organization's own emoji. */
export const RealmEmoji = z.strictObject({
  /** As text: the code of reactions with it. */
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  /** One frame of an animated one. */
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
});
export type RealmEmoji = z.infer<typeof RealmEmoji>;

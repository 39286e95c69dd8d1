import { z } from 'zod';

/** A text that a user keeps to insert into messages. */
export const SavedSnippet = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
export type SavedSnippet = z.infer<typeof SavedSnippet>;

import { z } from 'zod';

/** A user's status. An absent field is not set. */
export const UserStatus = z.strictObject({
  away: z.boolean().optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
});
export type UserStatus = z.infer<typeof UserStatus>;

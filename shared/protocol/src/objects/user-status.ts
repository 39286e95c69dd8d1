import { z } from 'zod';

/** What a user says about themselves just now. Absent is unset. */
export const UserStatus = z.strictObject({
  away: z.boolean().optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
});
export type UserStatus = z.infer<typeof UserStatus>;

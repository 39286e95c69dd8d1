import { z } from 'zod';

import { User } from '../objects/user.ts';
import { eventFamily } from './family.ts';

const user_id = z.int();

/** One thing about a user that changed. Clients tell the forms apart by their fields. */
const Change = z.union([
  z.strictObject({ user_id, full_name: z.string() }),
  z.strictObject({ user_id, role: z.int() }),
  z.strictObject({ user_id, bot_owner_id: z.int() }),
  z.strictObject({ user_id, is_active: z.boolean() }),
  z.strictObject({
    user_id,
    avatar_source: z.enum(['G', 'U']),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    avatar_version: z.int(),
  }),
  z.strictObject({ user_id, email: z.string(), timezone: z.string() }),
  z.strictObject({ user_id, delivery_email: z.string().nullable() }),
  z.strictObject({ user_id, new_email: z.string() }),
  z.strictObject({
    user_id,
    custom_profile_field: z.strictObject({
      id: z.int(),
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
]);
export type UserChange = z.infer<typeof Change>;

/** Users appeared or changed. Sent to everyone who may see them. */
export const realmUser = eventFamily('realm_user', {
  add: { person: User },
  update: { person: Change },
});

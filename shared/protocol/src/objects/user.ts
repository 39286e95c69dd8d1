import { z } from 'zod';

import { ProfileValue } from './profile-field.ts';

export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles];

export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** A User (contract: Resources, User). Bots alone have `bot_*`, people alone `profile_data`. */
export const User = z.strictObject({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean().optional(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable().optional(),
  bot_owner_id: z.int().nullable().optional(),
  role: z.int(),
  /** Absent for readers without an account. */
  timezone: z.string().optional(),
  avatar_url: z.string().nullable().optional(),
  avatar_version: z.int(),
  /** By the id of the field. */
  profile_data: z.record(z.string(), ProfileValue).optional(),
});
export type User = z.infer<typeof User>;

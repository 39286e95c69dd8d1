import { z } from 'zod';

import { ProfileValue } from './profile-field.ts';

export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles];

export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** A user. `bot_type` is null of people; only bots have `bot_owner_id`, only people have `profile_data`. */
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
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable().optional(),
  role: z.int(),
  /** Absent for readers without an account. */
  timezone: z.string().optional(),
  avatar_url: z.string().nullable().optional(),
  avatar_version: z.int(),
  /** Values by the id of the profile field. */
  profile_data: z.record(z.string(), ProfileValue).optional(),
});
export type User = z.infer<typeof User>;

/** The name, address and avatar that a guest is shown of a user to whom the guest has no access. */
export const unknownUser = {
  full_name: 'Unknown user',
  email: (id: number, emailDomain: string) => `user${id}@${emailDomain}`,
  avatar_url: 'https://secure.gravatar.com/avatar/00000000000000000000000000000000?d=mp&f=y',
};

/** Returns a placeholder for a user to whom a guest has no access, for clients that expect every user in their list. */
export const presentUnknown = (id: number, emailDomain: string): User => ({
  user_id: id,
  email: unknownUser.email(id, emailDomain),
  delivery_email: null,
  full_name: unknownUser.full_name,
  date_joined: '1970-01-01T00:00+00:00',
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  role: roles.member,
  timezone: '',
  avatar_url: unknownUser.avatar_url,
  avatar_version: 1,
  profile_data: {},
});

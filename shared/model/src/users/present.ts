import { createHash } from 'node:crypto';

import type { UserRow } from '@parley/db';
import { unknownUser, type User } from '@parley/protocol';

import { type Viewer, maySeeEmail } from '../access/emails.ts';
import type { Profiles } from '../profile-fields/profiles.ts';

type Addressed = Pick<UserRow, 'id' | 'email' | 'emailVisibility'>;

/** The address that everyone may know: the real one where its owner shows it to all, else the placeholder. */
export const publicEmail = (user: Addressed, realmHost: string) =>
  user.emailVisibility === 1 ? user.email : `user${user.id}@${realmHost}`;

type Pictured = Pick<UserRow, 'avatarPath' | 'avatarVersion'>;

/** Edge lengths of the two pictures that an avatar is kept in. */
export const avatarSizes = { small: 100, medium: 500 } as const;

export type AvatarSize = keyof typeof avatarSizes;

export const usesGravatar = ({ avatarPath }: Pick<Pictured, 'avatarPath'>) => avatarPath === null;

export function avatarUrl(
  { id, email, emailVisibility, avatarPath, avatarVersion }: Addressed & Pictured,
  size: AvatarSize = 'small',
) {
  if (avatarPath !== null) {
    const suffix = size === 'medium' ? '-medium' : '';
    return `/user_avatars/${avatarPath}${suffix}.png?version=${avatarVersion}`;
  }
  // An address that is not everyone's to know must not be told by its hash either.
  const known = emailVisibility === 1 ? email.toLowerCase() : `user${id}`;
  const hash = createHash('md5').update(known).digest('hex');
  const larger = size === 'medium' ? `&s=${avatarSizes.medium}` : '';
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${avatarVersion}${larger}`;
}

/** What tells of a user's picture in events. */
export const presentAvatar = (user: Addressed & Pictured) => ({
  avatar_source: usesGravatar(user) ? ('G' as const) : ('U' as const),
  avatar_url: avatarUrl(user),
  avatar_url_medium: avatarUrl(user, 'medium'),
});

/** What a message tells of its sender to a guest who does not see them. */
export const unknownSenderFields = (id: number, realmHost: string) => ({
  sender_email: unknownUser.email(id, realmHost),
  sender_full_name: unknownUser.full_name,
  avatar_url: unknownUser.avatar_url,
});

export interface UserView {
  viewer: Viewer;
  realmHost: string;
  clientGravatar: boolean;
  /** What people say of themselves; null where it was not asked for. */
  profiles: Profiles | null;
}

/** Row to User, as one viewer may see it. `is_active` is for the caller to add: register splits by it instead. */
export function presentUser(user: UserRow, { viewer, realmHost, clientGravatar, profiles }: UserView): User {
  const seesEmail = maySeeEmail(viewer, user);
  const isBot = user.botType !== null;
  return {
    user_id: user.id,
    email: publicEmail(user, realmHost),
    delivery_email: seesEmail ? user.email : null,
    full_name: user.fullName,
    date_joined: `${user.joinedAt.toISOString().slice(0, 16)}+00:00`,
    is_owner: user.role === 100,
    is_admin: user.role <= 200,
    is_guest: user.role === 600,
    is_bot: isBot,
    role: user.role,
    timezone: user.timezone,
    avatar_url: clientGravatar && seesEmail && usesGravatar(user) ? null : avatarUrl(user),
    avatar_version: user.avatarVersion,
    ...(isBot && { bot_type: user.botType, bot_owner_id: user.botOwnerId }),
    ...(!isBot && profiles && { profile_data: profiles.get(user.id) ?? {} }),
  };
}

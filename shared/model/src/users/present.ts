import { hash } from 'node:crypto';

import type { UserRow } from '@parley/db';
import { unknownUser, type User } from '@parley/protocol';

import { type Viewer, maySeeEmail } from '../access/emails.ts';
import { isAdministrator, isGuest, isOwner } from '../actor.ts';
import { emailVisibilities } from '../email-visibility.ts';
import type { Profiles } from '../profile-fields/profiles.ts';

type Addressed = Pick<UserRow, 'id' | 'email' | 'emailVisibility'>;

/**
 * Returns the email address that everyone may see: the real one if its owner shows it to everyone, else the
 * placeholder.
 */
export const publicEmail = (user: Addressed, emailDomain: string) =>
  user.emailVisibility === emailVisibilities.everyone ? user.email : `user${user.id}@${emailDomain}`;

type Pictured = Pick<UserRow, 'avatarPath' | 'avatarVersion'>;

/** The edge lengths in pixels of the two sizes of an avatar. */
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
  // The hash of an email address that not everyone may see would reveal it.
  const identity = emailVisibility === emailVisibilities.everyone ? email.toLowerCase() : `user${id}`;
  const digest = hash('md5', identity);
  const larger = size === 'medium' ? `&s=${avatarSizes.medium}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}${larger}`;
}

/** Returns the fields about a user's avatar in events. */
export const presentAvatar = (user: Addressed & Pictured) => ({
  avatar_source: usesGravatar(user) ? ('G' as const) : ('U' as const),
  avatar_url: avatarUrl(user),
  avatar_url_medium: avatarUrl(user, 'medium'),
});

/** Returns the sender's fields in a message for a guest who may not access the sender. */
export const unknownSenderFields = (id: number, emailDomain: string) => ({
  sender_email: unknownUser.email(id, emailDomain),
  sender_full_name: unknownUser.full_name,
  avatar_url: unknownUser.avatar_url,
});

/** The columns of which others see something. */
export type ShownUser = Pick<
  UserRow,
  | 'id'
  | 'email'
  | 'fullName'
  | 'role'
  | 'isActive'
  | 'isSystem'
  | 'botType'
  | 'botOwnerId'
  | 'emailVisibility'
  | 'timezone'
  | 'avatarPath'
  | 'avatarVersion'
  | 'joinedAt'
>;

export interface UserView {
  viewer: Viewer;
  emailDomain: string;
  clientGravatar: boolean;
  /** Null if profiles were not requested. */
  profiles: Profiles | null;
}

/**
 * Returns a user as a viewer may see them, without `is_active`: POST /register lists active and other users separately.
 */
export function presentUser(
  user: ShownUser,
  { viewer, emailDomain, clientGravatar, profiles }: UserView,
): User {
  const seesEmail = maySeeEmail(viewer, user);
  const isBot = user.botType !== null;
  return {
    user_id: user.id,
    email: publicEmail(user, emailDomain),
    delivery_email: seesEmail ? user.email : null,
    full_name: user.fullName,
    date_joined: `${user.joinedAt.toISOString().slice(0, 16)}+00:00`,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: isBot,
    role: user.role,
    timezone: user.timezone,
    avatar_url: clientGravatar && seesEmail && usesGravatar(user) ? null : avatarUrl(user),
    avatar_version: user.avatarVersion,
    bot_type: user.botType,
    ...(isBot && { bot_owner_id: user.botOwnerId }),
    ...(!isBot && profiles && { profile_data: profiles.get(user.id) ?? {} }),
  };
}

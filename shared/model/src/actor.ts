import type { tables } from '@parley/db';
import { type Role, type UserSettings, fullUserSettings, roles } from '@parley/protocol';

/** A realm (an organization) with the address that clients reach it at. */
export interface Realm {
  id: number;
  name: string;
  /** Host name without port. */
  host: string;
  /** The domain of addresses that the server makes up: those of bots and channels, and placeholders of hidden ones. */
  emailDomain: string;
  /** Base URL without a slash at the end. */
  url: string;
  /** The conversation whose members are all users except guests. */
  membersConversationId: number;
}

/** The part of a realm that audiences are built from. */
export type AudienceRealm = Pick<Realm, 'id' | 'membersConversationId'>;

/** The user who acts. It is read together with the request's credentials, or from the row that verified them. */
export interface Actor {
  id: number;
  realm: Realm;
  email: string;
  fullName: string;
  role: Role;
  /** True once the waiting period of the organization is over. */
  isFullMember: boolean;
  /** The ids of the groups that the user is a direct member of, ascending, without system groups. */
  groupIds: readonly number[];
  botType: number | null;
  botOwnerId: number | null;
  emailVisibility: number;
  avatarPath: string | null;
  avatarVersion: number;
  timezone: string;
  joinedAt: Date;
  /** A day, such as `2026-11-20`. */
  lastActiveOn: string | null;
  settings: UserSettings;
  /** The generation of the API key that the actor authenticated with. */
  keyGeneration: number;
  /** True for an account of a program that mirrors messages of another service. */
  mayForgeSender: boolean;
}

/** Returns the actor that a user's row describes. */
export function actorOf(user: typeof tables.users.$inferSelect, realm: Realm): Actor {
  const { id, email, fullName, botType, botOwnerId, emailVisibility, avatarPath } = user;
  const { avatarVersion, timezone, joinedAt, lastActiveOn, keyGeneration } = user;
  return {
    id,
    realm,
    email,
    fullName,
    // Safe: roles are written by this code alone.
    role: user.role as Role,
    isFullMember: user.isFullMember,
    groupIds: user.groupIds,
    botType,
    botOwnerId,
    emailVisibility,
    avatarPath,
    avatarVersion,
    timezone,
    joinedAt,
    lastActiveOn,
    settings: { ...fullUserSettings(user.settings), email_address_visibility: emailVisibility },
    keyGeneration,
    mayForgeSender: user.canForgeSender,
  };
}

export const isGuest = ({ role }: { role: number }) => role >= roles.guest;

export const isModerator = ({ role }: { role: number }) => role <= roles.moderator;

export const isAdministrator = ({ role }: { role: number }) => role <= roles.administrator;

export const isOwner = ({ role }: { role: number }) => role <= roles.owner;

export const isBot = ({ botType }: { botType: number | null }) => botType !== null;

import type { tables } from '@parley/db';
import { type Role, type UserSettings, fullUserSettings } from '@parley/protocol';

/** A realm as the outside addresses it. */
export interface Realm {
  id: number;
  name: string;
  /** Host name without port: the domain of placeholder email addresses. */
  host: string;
  /** Base URL without a slash at the end. */
  url: string;
  /** The conversation of everyone but guests. */
  membersConversationId: number;
}

/** Who acts. Read with the request's credentials, or from the same row that proved them. */
export interface Actor {
  id: number;
  realm: Realm;
  email: string;
  fullName: string;
  role: Role;
  /** Past the waiting period of the organization. */
  isFullMember: boolean;
  botType: number | null;
  botOwnerId: number | null;
  emailVisibility: number;
  avatarPath: string | null;
  avatarVersion: number;
  timezone: string;
  joinedAt: Date;
  /** The day, as `2026-11-20`. */
  lastActiveOn: string | null;
  settings: UserSettings;
  /** Of the API key that the actor proved to have. */
  keyGeneration: number;
}

/** A user's row as the one who acts. */
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
  };
}

export const isGuest = ({ role }: { role: number }) => role >= 600;

export const isModerator = ({ role }: { role: number }) => role <= 300;

export const isAdministrator = ({ role }: { role: number }) => role <= 200;

export const isOwner = ({ role }: { role: number }) => role <= 100;

export const isBot = ({ botType }: { botType: number | null }) => botType !== null;

import { type Tx, tables } from '@parley/db';
import { type User, fullUserSettings, roles } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import type { Realm, Actor } from '../actor.ts';
import { emailVisibilities } from '../email-visibility.ts';
import { getRules } from '../permissions/rules.ts';

/** The id of spectators. No account has it, so nothing belongs to a spectator. */
const spectatorId = 0;

export const isSpectator = ({ id }: { id: number }) => id === spectatorId;

/**
 * Returns the actor for requests without an account; undefined unless the organization is open to spectators. `now`
 * stands for the time of joining, which a spectator does not have.
 */
export async function findSpectator(tx: Tx, realm: Realm, now: Date): Promise<Actor | undefined> {
  if (!(await isOpenToSpectators(tx, realm.id))) return undefined;
  return {
    id: spectatorId,
    realm,
    email: `user0@${realm.emailDomain}`,
    fullName: 'Anonymous User',
    role: roles.guest,
    isFullMember: false,
    groupIds: [],
    botType: null,
    botOwnerId: null,
    emailVisibility: emailVisibilities.nobody,
    avatarPath: null,
    avatarVersion: 1,
    timezone: '',
    joinedAt: now,
    settings: fullUserSettings({ web_home_view: 'recent_topics' }),
    keyGeneration: 0,
    mayForgeSender: false,
    lastActiveOn: null,
  };
}

/** Returns whether the organization has web-public channels and lets spectators see them. */
export async function isOpenToSpectators(tx: Tx, realmId: number): Promise<boolean> {
  const { channels, realms } = tables;
  const [realm] = await tx.select({ isActive: realms.isActive }).from(realms).where(eq(realms.id, realmId));
  if (!realm?.isActive || !(await getRules(tx, realmId)).settings.enable_spectator_access) return false;
  const isOpen = and(eq(channels.realmId, realmId), channels.isWebPublic, eq(channels.isArchived, false));
  const [channel] = await tx.select({ id: channels.id }).from(channels).where(isOpen).limit(1);
  return channel !== undefined;
}

/** Returns a user as spectators see them: without email address, profile, time zone and time of joining. */
export function presentToSpectators(user: User, emailDomain: string): User {
  const { profile_data: _profile, timezone: _timezone, ...visible } = user;
  return {
    ...visible,
    email: `user${user.user_id}@${emailDomain}`,
    delivery_email: null,
    date_joined: user.date_joined.slice(0, 10),
  };
}

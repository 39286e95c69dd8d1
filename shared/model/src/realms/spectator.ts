import { type Tx, tables } from '@parley/db';
import { type User, fullUserSettings, roles } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import type { Realm, Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';

/** No account has this id: nothing is anyone's who has none. */
const spectatorId = 0;

export const isSpectator = ({ id }: { id: number }) => id === spectatorId;

/** Whoever looks on without an account, where the organization shows any channel to the world. */
export async function findSpectator(tx: Tx, realm: Realm): Promise<Actor | undefined> {
  if (!(await isOpenToSpectators(tx, realm.id))) return undefined;
  return {
    id: spectatorId,
    realm,
    email: `user0@${realm.host}`,
    fullName: 'Anonymous User',
    role: roles.guest,
    isFullMember: false,
    botType: null,
    botOwnerId: null,
    emailVisibility: 4,
    avatarPath: null,
    avatarVersion: 1,
    timezone: '',
    joinedAt: new Date(),
    settings: fullUserSettings({ web_home_view: 'recent_topics' }),
    keyGeneration: 0,
    lastActiveOn: null,
  };
}

/** Whether the organization has web-public channels, and lets the world see them. */
export async function isOpenToSpectators(tx: Tx, realmId: number): Promise<boolean> {
  const { channels, realms } = tables;
  const [realm] = await tx.select({ isActive: realms.isActive }).from(realms).where(eq(realms.id, realmId));
  if (!realm?.isActive || !(await getRules(tx, realmId)).settings.enable_spectator_access) return false;
  const these = and(eq(channels.realmId, realmId), channels.isWebPublic, eq(channels.isArchived, false));
  const [open] = await tx.select({ id: channels.id }).from(channels).where(these).limit(1);
  return open !== undefined;
}

/** Nobody's address, nor more of anyone than their name, picture and role. */
export function presentToSpectators(user: User, host: string): User {
  const { profile_data: _profile, timezone: _timezone, ...known } = user;
  return {
    ...known,
    email: `user${user.user_id}@${host}`,
    delivery_email: null,
    date_joined: user.date_joined.slice(0, 10),
  };
}

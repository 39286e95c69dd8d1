import { type Tx, tables } from '@parley/db';
import {
  type RealmSettings,
  type RealmGroupSetting,
  type GroupSetting,
  fullRealmSettings,
  realmGroupSettings,
} from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type Member, isIncluded } from './groups.ts';

/** What a realm lets whom do: its settings, and its permissions with the groups that they name. */
export interface Rules {
  /** Rises with every change of these. */
  version: number;
  settings: RealmSettings;
  groups: readonly { id: number; name: string }[];
  /** The value of a permission of the organization. */
  groupSetting(name: RealmGroupSetting): GroupSetting;
  /** Whether a user holds a permission of the organization. */
  may(user: Member, permission: RealmGroupSetting): boolean;
  /** Whether a user is among those whom a permission names. */
  includes(setting: GroupSetting, user: Member): boolean;
  /** The id of a system group. */
  groupId(name: string): number;
}

export async function getRules(tx: Tx, realmId: number): Promise<Rules> {
  const { realmHeads, realms, userGroups } = tables;
  const [realm] = await tx
    .select({
      settings: realms.settings,
      groupSettings: realms.groupSettings,
      // Read first: what changes after it makes these look older than they are, never newer.
      version: realmHeads.rulesVersion,
    })
    .from(realms)
    .innerJoin(realmHeads, eq(realmHeads.realmId, realms.id))
    .where(eq(realms.id, realmId));
  if (!realm) throw new Error(`Realm ${realmId} does not exist.`);
  const groups = await tx
    .select({ id: userGroups.id, name: userGroups.name })
    .from(userGroups)
    .where(eq(userGroups.realmId, realmId))
    .orderBy(userGroups.id);
  const idOf = new Map(groups.map(({ id, name }) => [name, id]));
  const settings = fullRealmSettings(realm.settings);

  function groupId(name: string): number {
    const id = idOf.get(name);
    if (id === undefined) throw new Error(`Realm ${realmId} lacks the group ${name}.`);
    return id;
  }
  const groupSetting = (name: RealmGroupSetting) =>
    realm.groupSettings[name] ?? groupId(realmGroupSettings[name].default);
  const includes = (setting: GroupSetting, user: Member) =>
    isIncluded(user, setting, { groups, waitingDays: settings.waiting_period_threshold });
  return {
    version: realm.version,
    settings,
    groups,
    groupSetting,
    groupId,
    includes,
    may: (user, permission) => includes(groupSetting(permission), user),
  };
}

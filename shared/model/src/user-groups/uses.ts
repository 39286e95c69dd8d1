import { type Tx, tables } from '@parley/db';
import type { GroupSetting } from '@parley/protocol';
import { type SQL, and, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

import { groupIdsOf } from '../permissions/group-setting.ts';

/** The permissions that name groups, by the thing that they are permissions of. */
export interface GroupUses {
  /** Names of the organization's permissions. */
  realm: string[];
  channels: { id: number; isArchived: boolean; settings: string[] }[];
  groups: { id: number; isDeactivated: boolean; settings: string[] }[];
}

/** A condition: one of the permissions in a column names one of these groups. */
const namesOne = (column: PgColumn, ids: readonly number[]): SQL =>
  sql`jsonb_path_exists(${column}, '$.* ? (@ == $ids[*] || @.direct_subgroups[*] == $ids[*])',
    jsonb_build_object('ids', ${`[${ids.join(',')}]`}::text::jsonb))`;

/** Returns which permissions of a realm, its channels and its groups name one of these groups. */
export async function findGroupUses(tx: Tx, realmId: number, ids: readonly number[]): Promise<GroupUses> {
  const { realms, channels, userGroups } = tables;
  const namesOf = (settings: object | null) =>
    Object.entries(settings ?? {})
      // Safe: all values are values of permissions.
      .filter(([, value]) => groupIdsOf(value as GroupSetting).some((id) => ids.includes(id)))
      .map(([name]) => name)
      .sort();
  const [realm] = await tx
    .select({ settings: realms.groupSettings })
    .from(realms)
    .where(eq(realms.id, realmId));
  const namingChannels = await tx
    .select({ id: channels.id, isArchived: channels.isArchived, settings: channels.groupSettings })
    .from(channels)
    .where(and(eq(channels.realmId, realmId), namesOne(channels.groupSettings, ids)))
    .orderBy(channels.id);
  const namingGroups = await tx
    .select({
      id: userGroups.id,
      isDeactivated: userGroups.isDeactivated,
      settings: userGroups.groupSettings,
    })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), namesOne(userGroups.groupSettings, ids)))
    .orderBy(userGroups.id);
  return {
    realm: namesOf(realm?.settings ?? null),
    channels: namingChannels.map((one) => ({ ...one, settings: namesOf(one.settings) })),
    groups: namingGroups.map((one) => ({ ...one, settings: namesOf(one.settings) })),
  };
}

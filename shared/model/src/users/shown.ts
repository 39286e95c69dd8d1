import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { intArray } from '../ids.ts';
import { type Profiles, listProfiles } from '../profile-fields/profiles.ts';
import type { ShownUser } from './present.ts';

/** Columns of users, each as a list that has an item for each user; null if there are none. */
type ShownLists = { [Column in keyof ShownUser]: unknown[] | null };

type ReadLists = ShownLists & { hasProfiles: boolean };

/** Returns what others see of some users, by their ids, and their profiles. */
export async function readShownUsers(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
  withProfiles = true,
): Promise<{ rows: ShownUser[]; profiles: Profiles }> {
  const lists = await readLists(tx, realmId, ids);
  const rows = lists?.id?.map((_, index) => rowAt(lists, index)) ?? [];
  const profiles = withProfiles && lists?.hasProfiles ? await listProfiles(tx, realmId, [...ids]) : new Map();
  return { rows, profiles };
}

/**
 * Reads columns, not rows: for a row of each user, Postgres, its client and Drizzle take twice as long together. A plan
 * takes the ids for some that it does not know yet: looking at each of them would take it longer than reading them.
 */
async function readLists(tx: Tx, realmId: number, ids: readonly number[]): Promise<ReadLists | undefined> {
  const [lists] = await tx.execute<ReadLists & Record<string, unknown>>(sql`
    select json_agg(id) as id, json_agg(email) as email, json_agg(full_name) as "fullName", json_agg(role) as role,
      json_agg(is_active) as "isActive", json_agg(is_system) as "isSystem", json_agg(bot_type) as "botType",
      json_agg(bot_owner_id) as "botOwnerId", json_agg(email_visibility) as "emailVisibility",
      json_agg(timezone) as timezone, json_agg(avatar_path) as "avatarPath", json_agg(avatar_version) as "avatarVersion",
      json_agg(joined_at) as "joinedAt",
      exists (select from custom_profile_fields where realm_id = ${realmId}) as "hasProfiles"
    from (
      select id, email, full_name, role, is_active, is_system, bot_type, bot_owner_id, email_visibility, timezone,
        avatar_path, avatar_version, joined_at
      from users where realm_id = ${realmId} and id = any((select ${intArray(ids)})::int[]) order by id
    ) shown`);
  return lists;
}

/** Returns a row of the lists. It is what it says, because each column has its own type in JSON, but for times. */
const rowAt = (lists: ShownLists, index: number) =>
  ({
    id: lists.id?.[index],
    email: lists.email?.[index],
    fullName: lists.fullName?.[index],
    role: lists.role?.[index],
    isActive: lists.isActive?.[index],
    isSystem: lists.isSystem?.[index],
    botType: lists.botType?.[index],
    botOwnerId: lists.botOwnerId?.[index],
    emailVisibility: lists.emailVisibility?.[index],
    timezone: lists.timezone?.[index],
    avatarPath: lists.avatarPath?.[index],
    avatarVersion: lists.avatarVersion?.[index],
    joinedAt: new Date(String(lists.joinedAt?.[index])),
  }) satisfies Record<keyof ShownUser, unknown> as ShownUser;

import { type Tx, readOnce } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import {
  type GroupSetting,
  type RealmGroupSetting,
  type RealmGroupSettings,
  type RealmSettings,
  fullRealmSettings,
  realmGroupSettings,
} from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { type Groups, type Subgroup, createGroups } from './groups.ts';
import type { Member, SystemGroupName } from './system-groups.ts';

/**
 * The rules of a realm: its settings, its permissions, and how its groups contain each other. They do not hold the
 * members of groups, so that reading them costs the same however many there are.
 */
export interface Rules {
  /** Rises with every change of the rules. */
  version: number;
  settings: RealmSettings;
  groups: Groups;
  /** The value of one of the organization's permissions. */
  groupSetting(name: RealmGroupSetting): GroupSetting;
  /** Whether a user has one of the organization's permissions. */
  may(user: Member, permission: RealmGroupSetting): boolean;
  /** Whether a user is among the users and groups that a permission's value names. */
  includes(setting: GroupSetting, user: Member): boolean;
  /** The id of a system group. */
  readonly groupId: (name: string) => number;
}

/** What one statement reads of the rules. */
interface Content {
  settings: Partial<RealmSettings>;
  groupSettings: Partial<RealmGroupSettings>;
  systemGroups: { id: number; name: SystemGroupName }[];
  /** Null if there are none. */
  subgroups: Subgroup[] | null;
}

interface Row extends Record<string, unknown> {
  version: string;
  /** Whether the transaction has written anything. If so, it may see rules that no other transaction sees. */
  has_written: boolean;
  /** Null if the cached version is still current. */
  content: Content | null;
}

/** The newest committed rules by realm id. All databases that this process opens have different realm ids. */
const cache = new BoundedCache<number, Rules & { subgroupCount: number }>('rules', {
  bytesOf: ({ subgroupCount }) => 16_384 + subgroupCount * 256,
});

/**
 * Returns the rules of a realm, as the transaction sees them. This is one statement, once for a snapshot, which returns
 * only the version if the cached rules have it. A transaction that has written reads the rules again and does not cache
 * them: it may have changed them, and it may be rolled back.
 */
export const getRules = (tx: Tx, realmId: number): Promise<Rules> =>
  readOnce(tx, `rules of ${realmId}`, () => readRules(tx, realmId));

async function readRules(tx: Tx, realmId: number): Promise<Rules> {
  const cached = cache.get(realmId);
  const [row] = await tx.execute<Row>(sql`
    select h.version, t.has_written,
      case when t.has_written or h.version <> ${cached?.version ?? -1} then json_build_object(
        'settings', r.settings,
        'groupSettings', r.group_settings,
        'systemGroups', (select json_agg(json_build_object('id', g.id, 'name', g.name))
                         from user_groups g where g.realm_id = ${realmId} and g.is_system),
        'subgroups', (select json_agg(json_build_array(s.group_id, s.subgroup_id))
                      from user_group_subgroups s where s.realm_id = ${realmId})
      ) end as content
    from (
      select realm_id, rules_version_of(rules_version, term, log_term(epoch)) as version from realm_heads where realm_id = ${realmId} offset 0
    ) h
    join realms r on r.id = h.realm_id
    cross join (select pg_current_xact_id_if_assigned() is not null as has_written) t`);
  if (!row) throw new Error(`Realm ${realmId} does not exist.`);
  if (!row.content && cached) return cached;
  if (!row.content) throw new Error(`The rules of realm ${realmId} were read without their content.`);
  const rules = createRules(realmId, Number(row.version), row.content);
  const isNewest = rules.version >= (cache.get(realmId)?.version ?? 0);
  if (!row.has_written && isNewest) cache.set(realmId, rules);
  return rules;
}

function createRules(realmId: number, version: number, content: Content): Rules & { subgroupCount: number } {
  const { systemGroups, subgroups } = content;
  const groups = createGroups(new Map(systemGroups.map(({ id, name }) => [id, name])), subgroups ?? []);
  const idByName = new Map<string, number>(systemGroups.map(({ id, name }) => [name, id]));

  function groupId(name: string): number {
    const id = idByName.get(name);
    if (id === undefined) throw new Error(`Realm ${realmId} lacks the group ${name}.`);
    return id;
  }
  const groupSetting = (name: RealmGroupSetting) =>
    content.groupSettings[name] ?? groupId(realmGroupSettings[name].default);
  return {
    version,
    settings: fullRealmSettings(content.settings),
    groups,
    groupSetting,
    groupId,
    includes: (setting, user) => groups.includes(setting, user),
    may: (user, permission) => groups.includes(groupSetting(permission), user),
    subgroupCount: subgroups?.length ?? 0,
  };
}

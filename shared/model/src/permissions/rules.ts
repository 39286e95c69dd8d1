import type { Tx } from '@parley/db';
import {
  type GroupSetting,
  type RealmGroupSetting,
  type RealmGroupSettings,
  type RealmSettings,
  fullRealmSettings,
  realmGroupSettings,
} from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

import { type Group, isIncluded } from './groups.ts';
import type { Member } from './system-groups.ts';

/** What a realm lets whom do: its settings, and its permissions with the groups that they name. */
export interface Rules {
  /** Rises with every change of these. */
  version: number;
  settings: RealmSettings;
  groups: readonly Pick<Group, 'id' | 'name'>[];
  /** The value of a permission of the organization. */
  groupSetting(name: RealmGroupSetting): GroupSetting;
  /** Whether a user holds a permission of the organization. */
  may(user: Member, permission: RealmGroupSetting): boolean;
  /** Whether a user is among those whom a permission names. */
  includes(setting: GroupSetting, user: Member): boolean;
  /** The id of a system group. */
  groupId(name: string): number;
}

/** What rules are made of, as one statement reads it. */
interface Content {
  settings: Partial<RealmSettings>;
  groupSettings: Partial<RealmGroupSettings>;
  groups: { id: number; name: string }[];
}

interface Row extends Record<string, unknown> {
  version: string;
  /** Whether the transaction has written anything yet: then it may see rules that nobody else does. */
  has_written: boolean;
  /** Null where the rules are those of the version that is known. */
  content: Content | null;
}

const cachedBytesMax = 64 * 1024 * 1024;

/** The latest committed rules of each realm. Realms have ids that no other database of this process has. */
const cache = new LRUCache<number, Rules>({
  maxSize: cachedBytesMax,
  sizeCalculation: ({ groups }) => 4096 + groups.length * 256,
});

/**
 * The rules of a realm, as the transaction sees them. One statement, which answers with the version alone where these
 * rules are in memory. A transaction that has written reads them anew, and its view is not remembered: it may have
 * changed them, and may be undone.
 */
export async function getRules(tx: Tx, realmId: number): Promise<Rules> {
  const cached = cache.get(realmId);
  const [row] = await tx.execute<Row>(sql`
    select h.rules_version as version, t.has_written,
      case when t.has_written or h.rules_version <> ${cached?.version ?? -1} then json_build_object(
        'settings', r.settings,
        'groupSettings', r.group_settings,
        'groups', (select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id)
                   from user_groups g where g.realm_id = r.id)
      ) end as content
    from realm_heads h
    join realms r on r.id = h.realm_id
    cross join (select pg_current_xact_id_if_assigned() is not null as has_written) t
    where h.realm_id = ${realmId}`);
  if (!row) throw new Error(`Realm ${realmId} does not exist.`);
  if (!row.content && cached) return cached;
  if (!row.content) throw new Error(`The rules of realm ${realmId} were read without their content.`);
  const rules = createRules(realmId, Number(row.version), row.content);
  const isNewest = rules.version >= (cache.get(realmId)?.version ?? 0);
  if (!row.has_written && isNewest) cache.set(realmId, rules);
  return rules;
}

function createRules(realmId: number, version: number, content: Content): Rules {
  const groups = content.groups.map(({ id, name }): Group => ({ id, name, own: null }));
  const byId = new Map(groups.map((group) => [group.id, group]));
  const idOf = new Map(groups.map(({ id, name }) => [name, id]));

  function groupId(name: string): number {
    const id = idOf.get(name);
    if (id === undefined) throw new Error(`Realm ${realmId} lacks the group ${name}.`);
    return id;
  }
  const groupSetting = (name: RealmGroupSetting) =>
    content.groupSettings[name] ?? groupId(realmGroupSettings[name].default);
  const includes = (setting: GroupSetting, user: Member) => isIncluded(user, setting, byId);
  return {
    version,
    settings: fullRealmSettings(content.settings),
    groups,
    groupSetting,
    groupId,
    includes,
    may: (user, permission) => includes(groupSetting(permission), user),
  };
}

import { type Tx, tables } from '@parley/db';
import type { GroupSetting } from '@parley/protocol';
import { and, eq, inArray, lte, or } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import type { Rules } from '../realms/rules.ts';
import { systemGroups } from '../user-groups/system.ts';
import type { ChannelRow } from './present.ts';

/** What of a realm its audiences are made of. */
export type Home = Pick<Realm, 'id' | 'membersConversationId'>;

/** Whom to tell of something: listed users, and the members of conversations. Without either, everyone. */
export interface Watchers {
  users?: number[];
  conversations?: number[];
  except?: number[];
}

/**
 * Who sees that a channel exists, its metadata access: of a public one all but guests, and its subscribers; of a
 * private one its subscribers, administrators, and whoever its permissions let in; of a web-public one everyone.
 */
export async function watchersOf(tx: Tx, realm: Home, channel: ChannelRow, rules: Rules): Promise<Watchers> {
  if (channel.isWebPublic) return {};
  if (!channel.isPrivate) {
    return { users: [], conversations: [realm.membersConversationId, channel.conversationId] };
  }
  return {
    users: await listOutsiders(tx, realm.id, channel, rules),
    conversations: [channel.conversationId],
  };
}

/** Active users who see a private channel whether or not they are subscribed. */
export async function listOutsiders(tx: Tx, realmId: number, channel: ChannelRow, rules: Rules) {
  const { users } = tables;
  const { can_administer_channel_group, can_add_subscribers_group, can_subscribe_group } =
    channel.groupSettings;
  const settings = [can_administer_channel_group, can_add_subscribers_group, can_subscribe_group];
  const roleMax = Math.max(200, ...settings.map((setting) => roleMaxOf(setting, rules)));
  const direct = settings.flatMap((setting) => (typeof setting === 'number' ? [] : setting.direct_members));
  const possible = or(
    lte(users.role, Math.min(roleMax, 400)),
    direct.length > 0 ? inArray(users.id, direct) : undefined,
  );
  const rows = await tx
    .select({ id: users.id, role: users.role, joinedAt: users.joinedAt })
    .from(users)
    .where(and(eq(users.realmId, realmId), users.isActive, eq(users.isSystem, false), possible));
  return rows
    .filter(
      (user) =>
        user.role <= 200 || (user.role < 600 && settings.some((setting) => rules.includes(setting, user))),
    )
    .map(({ id }) => id);
}

/** The highest role number among the groups that a setting names. */
function roleMaxOf(setting: GroupSetting, rules: Rules): number {
  const ids = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  const names = ids.map((id) => rules.groups.find((group) => group.id === id)?.name);
  return Math.max(
    0,
    ...systemGroups.filter(({ name }) => names.includes(name)).map(({ roleMax }) => roleMax),
  );
}

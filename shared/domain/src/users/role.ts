import { type Tx, tables } from '@parley/db';
import { type Draft, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { type Actor, type Realm, actorOf } from '../actor.ts';
import { listHeads, listSubscribers, listVisibleChannels } from '../channels/find.ts';
import { presentChannel } from '../channels/present.ts';
import type { Rules } from '../realms/rules.ts';
import { directGroupsOf } from '../user-groups/system.ts';
import type { UserRow } from './find.ts';
import { maySeeEmail } from './present.ts';
import { audienceOf, draft } from './sight.ts';

/** What a change of role is to others, to the groups of the roles, and to what the person sees, in this order. */
export async function draftsOfRole(
  tx: Tx,
  realm: Realm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<Draft[]> {
  const changed = events.realmUser.update({ person: { user_id: after.id, role: after.role } });
  const told: Draft = { ...draft(changed, await audienceOf(tx, realm, after, rules)), revokes: [after.id] };
  if (!after.isActive) return [told];
  return [
    told,
    ...draftsOfRoleGroups(after.id, directGroupsOf(before.role), directGroupsOf(after.role), rules),
    ...(await draftsOfChannels(tx, actorOf(before, realm), actorOf(after, realm))),
    ...(await draftsOfAddresses(tx, before, after)),
  ];
}

type RoleGroups = ReturnType<typeof directGroupsOf>;

/** The groups that stand for roles, as someone leaves some and enters others. */
export function draftsOfRoleGroups(id: number, left: RoleGroups, entered: RoleGroups, rules: Rules): Draft[] {
  const member = (name: string) => ({ group_id: rules.groupId(name), user_ids: [id] });
  return [
    ...left
      .filter((name) => !entered.includes(name))
      .map((name) => to.everyone(events.userGroup.remove_members(member(name)))),
    ...entered
      .filter((name) => !left.includes(name))
      .map((name) => to.everyone(events.userGroup.add_members(member(name)))),
  ];
}

/** Channels that appear to someone, with who is in them, and those that they see no more. */
async function draftsOfChannels(tx: Tx, before: Actor, after: Actor): Promise<Draft[]> {
  const could = await listVisibleChannels(tx, before);
  const can = await listVisibleChannels(tx, after);
  const missingIn = (list: typeof could, other: typeof could) => {
    const ids = new Set(other.map(({ channel }) => channel.id));
    return list.map(({ channel }) => channel).filter(({ id }) => !ids.has(id));
  };
  const [gained, lost] = [missingIn(can, could), missingIn(could, can)];
  const conversationIds = gained.map(({ conversationId }) => conversationId);
  const heads = await listHeads(tx, conversationIds);
  const subscribers = await listSubscribers(tx, conversationIds);

  const drafts = gained.flatMap((channel) => {
    const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    const create = events.stream.create({ streams: [presentChannel(channel, facts)] });
    const user_ids = subscribers.get(channel.conversationId) ?? [];
    const peers = events.subscription.peer_add({ stream_ids: [channel.id], user_ids });
    const firstMessage = {
      conversationId: channel.conversationId,
      path: ['streams', '0', 'first_message_id'],
    };
    return [
      { ...to.user(after, create), firstMessage },
      ...(user_ids.length > 0 ? [to.user(after, peers)] : []),
    ];
  });
  if (lost.length === 0) return drafts;
  const stream_ids = lost.map(({ id }) => id);
  const streams = stream_ids.map((stream_id) => ({ stream_id }));
  return [...drafts, to.user(after, events.stream.delete({ stream_ids, streams }))];
}

/** Addresses that someone may know from now on, and those that they may not any more. */
async function draftsOfAddresses(tx: Tx, before: UserRow, after: UserRow): Promise<Draft[]> {
  const { users } = tables;
  const all = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, after.realmId), eq(users.isSystem, false)));
  return all
    .filter((user) => user.id !== after.id && maySeeEmail(before, user) !== maySeeEmail(after, user))
    .map((user) => {
      const delivery_email = maySeeEmail(after, user) ? user.email : null;
      return to.user(after, events.realmUser.update({ person: { user_id: user.id, delivery_email } }));
    });
}

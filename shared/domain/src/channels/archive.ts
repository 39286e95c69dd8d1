import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult, type Draft, events } from '@parley/protocol';
import { and, asc, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getLockedRealm } from '../realms/find.ts';
import { unsetChannel } from '../realms/unset-channel.ts';
import { listUsers } from '../users/find.ts';
import { groupsDraft, removeFromGroups } from './default-groups.ts';
import { defaultsDraft } from './defaults.ts';
import { type Editing, type Step, saveChannel, startEditing } from './editing.ts';
import { addsOf } from './join.ts';
import { noticeOf } from './notices.ts';
import { type ChannelRow, presentChannel } from './present.ts';
import { toWatchers } from './sight.ts';
import { watchersOf } from './watchers.ts';

/** Puts a channel away: nobody writes in it any more, and its subscriptions are kept. */
export async function archive(tx: Tx, actor: Actor, channelId: number): Promise<ActionResult> {
  await getLockedRealm(tx, actor.realm.id);
  const { access, rules } = await startEditing(tx, actor, channelId);
  const before = access.channel;
  if (before.isArchived) throw new ApiError('BAD_REQUEST', 'Channel is already deactivated');
  const channel = { ...before, isArchived: true, isDefault: false };
  await saveChannel(tx, channel);
  const isInGroup = await removeFromGroups(tx, actor.realm.id, channel.id);
  const event = events.stream.update({
    stream_id: channel.id,
    name: channel.name,
    property: 'is_archived',
    value: true,
  });
  return {
    events: [
      ...(await unsetChannel(tx, actor.realm.id, channel.id)),
      ...(before.isDefault ? [await defaultsDraft(tx, actor.realm)] : []),
      ...(isInGroup ? [await groupsDraft(tx, actor.realm)] : []),
      toWatchers(await watchersOf(tx, actor.realm, channel, rules), rules, event),
      ...(await noticeOf(tx, actor, channel, 'This channel was archived.')),
    ],
  };
}

/** Brings a channel back. Clients that could not know it meanwhile are told all of it anew. */
export async function unarchive(
  tx: Tx,
  { actor, rules, facts, subscribers }: Editing,
  before: ChannelRow,
): Promise<Step> {
  if (!before.isArchived) throw new ApiError('BAD_REQUEST', 'Channel is not currently deactivated');
  const channel = { ...before, isArchived: false };
  const watchers = await watchersOf(tx, actor.realm, channel, rules);
  const record = presentChannel(channel, facts, rules);
  const update = events.stream.update({
    stream_id: channel.id,
    name: channel.name,
    property: 'is_archived',
    value: false,
    channel: record,
  });
  const users = await listUsers(tx, actor.realm.id, subscribers);
  const adds = addsOf(channel, record, subscribers, users, await listMemberships(tx, channel, subscribers));
  const peers = events.subscription.peer_add({
    stream_ids: [channel.id],
    user_ids: subscribers,
    of_archived: 'returned',
  });
  return {
    channel,
    events: [
      toWatchers(watchers, rules, update),
      ...adds.map((draft): Draft => ({ ...draft, event: { ...draft.event, of_archived: 'returned' } })),
      ...(subscribers.length > 0 ? [toWatchers({ ...watchers, except: subscribers }, rules, peers)] : []),
    ],
    notices: ['This channel was brought back from the archive.'],
  };
}

async function listMemberships(tx: Tx, { conversationId }: ChannelRow, userIds: number[]) {
  const { conversationMembers } = tables;
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(conversationMembers)
    .where(
      and(
        eq(conversationMembers.conversationId, conversationId),
        inArray(conversationMembers.userId, userIds),
      ),
    )
    .orderBy(asc(conversationMembers.userId));
  return new Map(rows.map((row) => [row.userId, row]));
}

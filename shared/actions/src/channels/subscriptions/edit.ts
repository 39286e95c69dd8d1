import { tables, type Tx } from '@parley/db';
import { type Actor, isAmong } from '@parley/model';
import * as model from '@parley/model';
import {
  type SubscriptionProperty,
  type ActionResult,
  type PendingEvent,
  ApiError,
  events,
  to,
} from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { lockConversations } from '../../lock.ts';

const { conversationMembers } = tables;

export interface SubscriptionSettingEdit {
  channelId: number;
  property: SubscriptionProperty;
  value: string | boolean;
}

/** Columns of member rows, by property of the API. */
const columns = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'pinToTop',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<SubscriptionProperty, keyof typeof tables.conversationMembers.$inferSelect>;

/**
 * Sets properties of the actor's subscriptions. Setting one again changes nothing.
 *
 * @throws BAD_REQUEST for a channel that the actor may not see or is not subscribed to
 */
export async function editSubscriptionSettings(
  tx: Tx,
  { actor, edits }: { actor: Actor; edits: SubscriptionSettingEdit[] },
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const ids = [...new Set(edits.map(({ channelId }) => channelId))];
  const read = async () =>
    new Map(
      await Promise.all(
        ids.map(async (id) => [id, await model.access.getVisibleChannel(tx, actor, id, rules)] as const),
      ),
    );
  // The lock keeps everyone from archiving or leaving the channels meanwhile.
  await lockConversations(
    tx,
    actor.realm,
    [...(await read()).values()].map(({ channel }) => channel.conversationId),
  );
  const accesses = await read();
  const rows = await lockOwnRows(tx, actor, [...accesses.values()]);
  const pending: PendingEvent[] = [];
  for (const { channelId, property, value } of edits) {
    const channel = accesses.get(channelId)?.channel;
    const row = channel && rows.get(channel.conversationId);
    if (!channel || !row?.isSubscribed) {
      throw new ApiError('BAD_REQUEST', `You are not subscribed to the channel with the id ${channelId}.`);
    }
    const column = columns[property];
    if (row[column] === value) continue;
    rows.set(channel.conversationId, { ...row, [column]: value });
    await save(tx, row, { [column]: value });
    const event = events.subscription.update({
      stream_id: channel.id,
      property,
      value,
      ...model.channels.archivedChannelFields(channel),
    });
    pending.push(to.user(actor, event));
  }
  // Plans for sending remember whether writing in a topic raises its visibility, which depends on muting.
  return { events: pending, changesRules: edits.some(({ property }) => property === 'is_muted') };
}
editSubscriptionSettings.actionName = 'channels.editSubscriptionSettings' as const;

type Row = typeof conversationMembers.$inferSelect;

async function lockOwnRows(
  tx: Tx,
  actor: Actor,
  accesses: model.access.ChannelAccess[],
): Promise<Map<number, Row>> {
  const ids = accesses.map(({ channel }) => channel.conversationId);
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(conversationMembers)
    .where(
      and(
        eq(conversationMembers.realmId, actor.realm.id),
        eq(conversationMembers.userId, actor.id),
        isAmong(conversationMembers.conversationId, ids),
      ),
    )
    .orderBy(asc(conversationMembers.conversationId))
    .for('update');
  return new Map(rows.map((row) => [row.conversationId, row]));
}

async function save(tx: Tx, { realmId, conversationId, userId }: Row, set: Partial<Row>): Promise<void> {
  await tx
    .update(conversationMembers)
    .set(set)
    .where(
      and(
        eq(conversationMembers.realmId, realmId),
        eq(conversationMembers.conversationId, conversationId),
        eq(conversationMembers.userId, userId),
      ),
    );
}

import type { Tx } from '@parley/db';
import { type Actor, bigintArray } from '@parley/model';
import * as model from '@parley/model';
import { gatheredFlagsMax } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import type { Gathered } from '../../action.ts';
import type { FlagChange, FlagChangeResult, NarrowPage, NarrowRange, ReadPlace } from './request.ts';

/**
 * Returns a change of flags as one that is made together with those of others. Null if it has to be made alone: marking as
 * unread says where each message is, and many messages would keep the others waiting.
 */
export async function gatherFlags(
  tx: Tx,
  { actor, change }: { actor: Actor; change: FlagChange },
  rulesVersion?: number,
): Promise<Gathered<FlagChangeResult> | null> {
  const { op, flag } = change;
  const ids = [...new Set(change.ids)];
  if (ids.length === 0 || ids.length > gatheredFlagsMax || (flag === 'read' && op === 'remove')) return null;
  const isAsked = flag !== 'read' && op === 'add';
  const found = isAsked ? await findReadable(tx, actor, ids) : undefined;
  if (found === null) return null;
  return {
    flags: {
      userId: actor.id,
      flag,
      op,
      messages: found?.messages ?? ids.map((id) => ({ id, channelId: null })),
      rulesVersion: rulesVersion ?? found?.rulesVersion,
    },
    resultOf: (changed) => ({ events: [], changed, ignoredChannels: [] }),
  };
}

/** Returns the messages with the channels that they are in, and the rules under which all are readable; null if one is not. */
async function findReadable(tx: Tx, actor: Actor, ids: number[]) {
  const { version } = await model.permissions.getRules(tx, actor.realm.id);
  const messages = await tx.execute<{ id: number; channelId: number | null }>(sql`
    select m.id, m.channel_id as "channelId" from messages m ${model.access.joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)})
      and ${await model.access.readableMessageCondition(tx, actor, true)}`);
  return messages.length === ids.length ? { messages: [...messages], rulesVersion: version } : null;
}

/** Returns a change of flags in a narrow as one that is made together with those of others; null if it has to be alone. */
export async function gatherFlagsInNarrow(
  tx: Tx,
  { actor, change, range }: { actor: Actor; change: Omit<FlagChange, 'ids'>; range: NarrowRange },
): Promise<Gathered<FlagChangeResult & { page: NarrowPage }> | null> {
  if (change.flag === 'read' && change.op === 'remove') return null;
  const { version } = await model.permissions.getRules(tx, actor.realm.id);
  const page = await tx.transaction((reading) => model.messages.fetchMessageIds(reading, actor, range));
  const gathered = await gatherFlags(tx, { actor, change: { ...change, ids: page.ids } }, version);
  return gathered && { ...gathered, resultOf: (changed) => ({ ...gathered.resultOf(changed), page }) };
}

/** Returns the reading of a channel as a change that is made together with those of others; null if it has to be alone. */
export async function gatherChannel(tx: Tx, { actor, channelId }: { actor: Actor; channelId: number }) {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const { channel } = await model.access.getReadableChannel(tx, actor, channelId, rules);
  return await gatherPlace(tx, actor, { channelId: channel.id }, rules.version);
}

/** Returns the reading of a topic as a change that is made together with those of others; null if it has to be alone. */
export async function gatherTopic(
  tx: Tx,
  { actor, channelId, topic: name }: { actor: Actor; channelId: number; topic: string },
) {
  const { version } = await model.permissions.getRules(tx, actor.realm.id);
  const topic = await model.topics.getReadableTopic(tx, actor, channelId, name);
  return await gatherPlace(tx, actor, { channelId: topic.channelId, topicId: topic.id }, version);
}

async function gatherPlace(tx: Tx, actor: Actor, place: ReadPlace, rulesVersion: number) {
  const ids = await listUnread(tx, actor, inPlace(place), gatheredFlagsMax + 1);
  return await gatherFlags(tx, { actor, change: { op: 'add', flag: 'read', ids } }, rulesVersion);
}

/** Returns a condition on `m`: it is in the place. */
export const inPlace = ({ channelId, topicId }: ReadPlace): SQL =>
  sql`m.channel_id = ${channelId} and ${topicId === undefined ? sql`true` : sql`m.topic_id = ${topicId}`}`;

/** Returns the reader's unread messages that a condition on `m` holds for, ascending. */
export async function listUnread(
  tx: Tx,
  reader: Pick<Actor, 'id' | 'realm'>,
  condition: SQL,
  most?: number,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${model.messages.fromUnreadMessages(reader)} where ${condition} order by m.id
    limit ${most ?? null}`);
  return rows.map(({ id }) => id);
}

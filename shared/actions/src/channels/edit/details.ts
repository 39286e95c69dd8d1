import type { Tx, ChannelRow } from '@parley/db';
import * as model from '@parley/model';
import { type PendingEvent, type TopicsPolicy, ApiError, emptyTopicDisplayName } from '@parley/protocol';
import type { NoticeTexts } from '@parley/strings';
import { sql } from 'drizzle-orm';

import { lockActiveChannelFolder } from '../../channel-folders/index.ts';
import { assertMaySetRetention, assertMaySetTopicsPolicy } from '../insert.ts';
import { channelNameTaken } from '../names.ts';
import { quotedDescription } from '../notices.ts';
import type { EditContext, PartialEdit } from './editing.ts';

export interface DetailChanges {
  name?: string | undefined;
  description?: string | undefined;
  messageRetentionDays?: number | null | undefined;
  topicsPolicy?: TopicsPolicy | undefined;
  folderId?: number | null | undefined;
}

/** Edits a channel's name, description, retention time, topics policy and folder. */
export async function editDetails(
  tx: Tx,
  { actor, rules }: EditContext,
  before: ChannelRow,
  changes: DetailChanges,
): Promise<PartialEdit | null> {
  const defined = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { name, description, messageRetentionDays, topicsPolicy, folderId } = { ...before, ...defined };
  const renderedDescription =
    description === before.description
      ? before.renderedDescription
      : await model.texts.renderText(tx, actor, description);
  const after = {
    ...before,
    name,
    description,
    renderedDescription,
    messageRetentionDays,
    topicsPolicy,
    folderId,
  };
  const audience = await model.access.channelAudience(tx, actor.realm, after, rules);
  const update = (
    ...[change, extra]: [
      Parameters<typeof model.channels.channelUpdateEvent>[3],
      Parameters<typeof model.channels.channelUpdateEvent>[4]?,
    ]
  ) => model.channels.channelUpdateEvent(audience, rules, before, change, extra);
  const who = model.messages.silentMention(actor);
  const edit: Required<PartialEdit> = { channel: after, events: [], notices: [] };

  if (description !== before.description) {
    const extra = { rendered_description: renderedDescription };
    edit.events.push(update(['description', description], extra));
    edit.notices.push((text) =>
      [
        text.channel.description(who),
        text.channel.old,
        quotedDescription(before.description, text),
        text.channel.new,
        quotedDescription(description, text),
      ].join('\n\n'),
    );
  }
  assertMaySetRetention(actor, messageRetentionDays, before.messageRetentionDays);
  if (messageRetentionDays !== before.messageRetentionDays) {
    edit.events.push(update(['message_retention_days', messageRetentionDays]));
    edit.notices.push((text) =>
      text.channel.retention(who, retentionText(before, text), retentionText(after, text)),
    );
  }
  if (topicsPolicy !== before.topicsPolicy) {
    assertMaySetTopicsPolicy(actor, rules);
    const expects = topicsPolicy === 'empty_topic_only' && (await assertHasEmptyTopicOnly(tx, before));
    edit.events.push({ ...update(['topics_policy', topicsPolicy]), ...(expects && { expects }) });
  }
  if (folderId !== before.folderId) {
    if (folderId !== null) await lockActiveChannelFolder(tx, actor.realm.id, folderId);
    edit.events.push(update(['folder_id', folderId]));
  }
  if (changes.name !== undefined) {
    if (name === before.name) throw new ApiError('BAD_REQUEST', 'This channel already has this name.');
    const other = await model.access.findChannel(tx, actor, name);
    if (other && other.channel.id !== before.id) throw channelNameTaken(other.channel.name);
    // The name comes last: the other events name the channel as clients know it.
    edit.events.push(update(['name', name]));
    edit.notices.push((text) => text.channel.renamed(who, before.name, name));
  }
  return edit;
}

function retentionText({ messageRetentionDays: days }: ChannelRow, { channel: text }: NoticeTexts): string {
  if (days === null) return text.retentionDefault;
  return days === -1 ? text.retentionForever : text.retentionDays(days);
}

/**
 * Refuses when a topic with a name has messages, and returns what has to be true still when the event is appended:
 * nobody who sends waits for this. The query asks each topic whether it has a message, not each message for its topic.
 */
async function assertHasEmptyTopicOnly(
  tx: Tx,
  { id, realmId }: ChannelRow,
): Promise<NonNullable<PendingEvent['expects']>> {
  const [found] = await tx.execute<{ has_others: boolean; last_message_id: number }>(sql`
    select exists (
      select from topics t
      where t.realm_id = ${realmId} and t.channel_id = ${id} and t.name <> '' and exists (
        select from messages where realm_id = ${realmId} and topic_id = t.id
      )
    ) as has_others,
    coalesce((select max(id) from messages where realm_id = ${realmId} and channel_id = ${id}), 0) as last_message_id`);
  if (found && !found.has_others) return { namedTopicsOf: id, lastMessageId: found.last_message_id };
  throw new ApiError(
    'BAD_REQUEST',
    `This channel has other topics. Move all of their messages to ${emptyTopicDisplayName} first.`,
    { empty_topic_display_name: emptyTopicDisplayName },
  );
}

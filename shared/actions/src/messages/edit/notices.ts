import type { Tx } from '@parley/db';
import { messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';
import { noticeText } from '@parley/strings';
import { sql } from 'drizzle-orm';

import { removeMessages } from '../delete.ts';
import { type NoticeWriter, noticeEvents } from '../notices.ts';
import type { CompletedMove, Resolving } from './move-plan.ts';

/** Unresolving a topic within this time, or resolving it again, deletes the notice instead of adding another. */
const undoSeconds = 60;

interface MoveNoticeOptions {
  /** Only the place of messages has changed, not their content. */
  isPure: boolean;
  notifiesOldThread: boolean;
  notifiesNewThread: boolean;
  rules: model.permissions.Rules;
}

/**
 * Returns events of the notices that the notification bot sends of a move: to the topic that messages left, and to the
 * new one.
 */
export async function moveNotices(
  tx: Tx,
  actor: Actor,
  moved: CompletedMove,
  options: MoveNoticeOptions,
): Promise<PendingEvent[]> {
  if (moved.resolving) {
    return options.isPure ? await resolutionEvents(tx, actor, moved, moved.resolving, options.rules) : [];
  }
  const { from, fromTopic, to, topicName, ids } = moved;
  const old = model.messages.topicMention(from.channel, fromTopic.name);
  const now = model.messages.topicMention(to.channel, topicName);
  const by = model.messages.silentMention(actor);
  const send = (place: { channel: typeof to.channel; topic: string }, write: NoticeWriter) =>
    noticeEvents(tx, actor.realm, place, write, { readBy: [actor.id] });
  const pending: PendingEvent[] = [];
  if (options.notifiesOldThread) {
    const write: NoticeWriter = ({ topic: text }) =>
      moved.isWhole ? text.movedTo(now, by) : text.messagesMovedTo(ids.length, now, by);
    const { refreshesFirstMessage: _, ...opening } = await model.channels.refreshedFirstMessageIdEvent(
      tx,
      actor.realm,
      from.channel,
      options.rules,
    );
    // The move may have left the channel empty: then the notice is its first message.
    const notice = await send({ channel: from.channel, topic: fromTopic.name }, write);
    pending.push(...notice.map((event) => ({ ...event, opening })));
  }
  if (options.notifiesNewThread) {
    const write: NoticeWriter = ({ topic: text }) => {
      if (moved.isWhole && !moved.targetHasMessages) return text.movedFrom(old, by);
      return ids.length === 1
        ? text.messageMovedFrom(messageHash(to.channel, topicName, moved.target), old, by)
        : text.messagesMovedFrom(ids.length, old, by);
    };
    pending.push(...(await send({ channel: to.channel, topic: topicName }, write)));
  }
  return pending;
}

async function resolutionEvents(
  tx: Tx,
  actor: Actor,
  moved: CompletedMove,
  state: Resolving,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const { to, topicName } = moved;
  const last = await findNewest(tx, actor, moved, rules);
  if (last?.is_undone) {
    const topic = { ...moved.fromTopic, id: last.topic_id, name: topicName };
    const place = { channel: to, topic, people: null };
    return await removeMessages(tx, actor, place, [last.id], { rules, also: [] });
  }
  return await noticeEvents(
    tx,
    actor.realm,
    { channel: to.channel, topic: topicName },
    (text) => text.topic[state](model.messages.silentMention(actor)),
    {
      readBy: [actor.id],
      unreadFor: await listUsersKeepingUnread(tx, actor, moved, last?.topic_id ?? moved.fromTopic.id),
    },
  );
}

/** The newest of the moved messages, and whether it is a notice of the last minute that this move takes back. */
async function findNewest(tx: Tx, actor: Actor, { ids }: CompletedMove, rules: model.permissions.Rules) {
  const { topic: text } = await noticeText(rules.settings.default_language);
  const texts = [text.resolved('%'), text.unresolved('%')];
  const [last] = await tx.execute<{ id: number; topic_id: number; is_undone: boolean }>(sql`
    select m.id, m.topic_id,
      u.is_system and m.sent_at > now() - make_interval(secs => ${undoSeconds})
        and (m.content like ${texts[0]} or m.content like ${texts[1]}) as is_undone
    from messages m join users u on u.realm_id = m.realm_id and u.id = m.sender_id
    where m.realm_id = ${actor.realm.id} and m.id = ${ids.at(-1) ?? 0}`);
  return last;
}

/**
 * Subscribers for whom the notice of a resolved topic arrives as unread: those who never want it
 * marked as read, and by default those who follow the topic.
 */
async function listUsersKeepingUnread(
  tx: Tx,
  actor: Actor,
  { to }: CompletedMove,
  topicId: number,
): Promise<number[]> {
  const setting = sql`u.settings ->> 'resolved_topic_notice_auto_read_policy'`;
  const rows = await tx.execute<{ user_id: number }>(sql`
    with wanting as (
      select u.id from users u where u.realm_id = ${actor.realm.id} and ${setting} = 'never'
      union
      select u.id from user_topics t join users u on u.realm_id = t.realm_id and u.id = t.user_id
      where t.realm_id = ${actor.realm.id} and t.topic_id = ${topicId} and t.policy = ${model.userTopics.topicPolicies.followed}
        and coalesce(${setting}, 'except_followed') = 'except_followed'
    )
    select w.id as user_id from wanting w
    join conversation_members c
      on c.realm_id = ${actor.realm.id} and c.conversation_id = ${to.channel.conversationId} and c.user_id = w.id and c.is_subscribed
    where w.id <> ${actor.id}
    order by 1`);
  return rows.map(({ user_id }) => user_id);
}

import { tables, type Tx, type UserRow } from '@parley/db';
import type { Rendered } from '@parley/markdown';
import { type Actor, intArray } from '@parley/model';
import * as model from '@parley/model';
import { and, eq, sql } from 'drizzle-orm';

import { resolveMentions } from '../send/mentions.ts';

const { alertWords, messages } = tables;

/**
 * Writes the mentions and alert words of a message whose content has changed, for users who received it: being mentioned
 * later makes nobody a recipient. The caller has locked the message.
 *
 * @throws BAD_REQUEST STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the
 * sender may not use
 */
export async function changeMentions(
  tx: Tx,
  actor: Actor,
  { message, channel, people }: model.access.MessageAccess,
  rendered: Rendered,
  mentionedUsers: UserRow[],
): Promise<void> {
  const address = {
    conversationId: channel?.channel.conversationId ?? message.conversationId,
    channelId: message.channelId,
    topicId: message.topicId,
    people,
    isPublic: channel !== null && !channel.channel.isPrivate,
  };
  const { flags, mentionsChannel } = await resolveMentions(tx, { actor, address }, rendered, mentionedUsers);
  const words = await tx.select().from(alertWords).where(eq(alertWords.realmId, actor.realm.id));
  const usersByFlag = {
    mentioned: flags.mentioned ?? [],
    topic_wildcard_mentioned: flags.topic_wildcard_mentioned ?? [],
    has_alert_word: model.alertWords.createAlertWordMatcher(words)(rendered.text),
  };
  for (const [name, ids] of Object.entries(usersByFlag)) {
    const column = sql.raw(name);
    await tx.execute(sql`
      update message_flags set ${column} = false
      where realm_id = ${message.realmId} and message_id = ${message.id} and ${column} and not user_id = any(${intArray(ids)})`);
    if (ids.length === 0) continue;
    await tx.execute(sql`
      insert into message_flags (realm_id, user_id, message_id, ${column})
      select ${message.realmId}::int, c.user_id, ${message.id}::bigint, true from conversation_members c
      where c.conversation_id = ${message.conversationId} and c.user_id = any(${intArray(ids)})
        and c.received @> ${message.ordinal}::bigint
      order by c.user_id
      on conflict (realm_id, user_id, message_id) do update set ${column} = true`);
  }
  await tx
    .update(messages)
    .set({ mentionsChannel: mentionsChannel && channel !== null })
    .where(and(eq(messages.realmId, message.realmId), eq(messages.id, message.id)));
}

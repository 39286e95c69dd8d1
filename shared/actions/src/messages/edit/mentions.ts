import type { Tx, UserRow } from '@parley/db';
import type { Rendered } from '@parley/markdown';
import { type Actor, intArray } from '@parley/model';
import type * as model from '@parley/model';
import { sql } from 'drizzle-orm';

import { resolveMentions } from '../send/mentions.ts';

/**
 * Writes the mentions and alert words of a message whose content has changed, for users who received it: being mentioned
 * later makes nobody a recipient. The caller has locked the message. Returns whether it mentions its whole channel now.
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
  findAlerted: model.alertWords.AlertWordMatcher,
): Promise<boolean> {
  const address = {
    conversationId: channel?.channel.conversationId ?? message.conversationId,
    channelId: message.channelId,
    topicId: message.topicId,
    people,
    isPublic: channel !== null && !channel.channel.isPrivate,
  };
  const { flags, mentionsChannel } = await resolveMentions(tx, { actor, address }, rendered, mentionedUsers);
  const usersByFlag = {
    mentioned: flags.mentioned ?? [],
    topic_wildcard_mentioned: flags.topic_wildcard_mentioned ?? [],
    has_alert_word: findAlerted(rendered.text),
  };
  const flagged = Object.entries(usersByFlag).map(([name, ids]) => ({ column: sql.raw(name), ids }));
  const isOutdated = flagged.map(
    ({ column, ids }) => sql`(${column} and not user_id = any(${intArray(ids)}))`,
  );
  const stillSet = flagged.map(
    ({ column, ids }) => sql`${column} = ${column} and user_id = any(${intArray(ids)})`,
  );
  await tx.execute(sql`
    update message_flags set ${sql.join(stillSet, sql`, `)}
    where realm_id = ${message.realmId} and message_id = ${message.id} and (${sql.join(isOutdated, sql` or `)})`);
  for (const { column, ids } of flagged) {
    if (ids.length === 0) continue;
    await tx.execute(sql`
      insert into message_flags (realm_id, user_id, message_id, ${column})
      select c.realm_id, c.user_id, ${message.id}::bigint, true from conversation_members c
      where c.realm_id = ${message.realmId} and c.conversation_id = ${message.conversationId} and c.user_id = any(${intArray(ids)})
        and c.received @> ${message.ordinal}::bigint
      order by c.user_id
      on conflict (realm_id, user_id, message_id) do update set ${column} = true`);
  }
  return mentionsChannel && channel !== null;
}

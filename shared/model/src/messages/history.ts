import type { Tx } from '@parley/db';
import { type MessageSnapshot, ApiError, emptyTopicDisplayName } from '@parley/protocol';

import { getMessage } from '../access/messages.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { toSeconds } from '../time.ts';
import { listMessageChanges, topicSpelling } from './changes.ts';
import { diffRendered } from './html-diff.ts';

/**
 * Returns the versions of a message, oldest first. Changes that the organization does not show are left out.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, and if the organization shows no history
 */
export async function listMessageHistory(
  tx: Tx,
  actor: Actor,
  messageId: number,
  allowEmptyTopicName: boolean,
): Promise<MessageSnapshot[]> {
  const rules = await getRules(tx, actor.realm.id);
  const { message, topic } = await getMessage(tx, actor, messageId, { rules });
  const policy = rules.settings.message_edit_history_visibility_policy;
  if (policy === 'none') {
    throw new ApiError('BAD_REQUEST', 'This organization does not show the edit history of messages.');
  }
  const changes = (await listMessageChanges(tx, actor.realm.id, [messageId])).get(messageId) ?? [];
  const nameOf = (name: string) =>
    name === '' && topic && !allowEmptyTopicName ? emptyTopicDisplayName : name;

  // Each change stores the state before it. So the states are reconstructed from the newest to the oldest.
  const snapshots: MessageSnapshot[] = [];
  const topicName = topicSpelling(topic?.name ?? '', changes);
  let current = { topic: topicName, content: message.content, rendered: message.renderedContent };
  for (const { at, userId, content, move } of changes.toReversed()) {
    const before = {
      topic: move?.prevTopic ?? current.topic,
      content: content?.prev ?? current.content,
      rendered: content?.prevRendered ?? current.rendered,
    };
    if (policy === 'all' || move) {
      snapshots.push({
        timestamp: toSeconds(at),
        user_id: userId,
        topic: nameOf(current.topic),
        content: current.content,
        rendered_content: current.rendered,
        ...(move && move.prevTopic !== move.topic && { prev_topic: nameOf(before.topic) }),
        ...(move &&
          move.prevChannelId !== move.channelId && {
            prev_stream: move.prevChannelId,
            stream: move.channelId,
          }),
        ...(content &&
          policy === 'all' && {
            prev_content: before.content,
            prev_rendered_content: before.rendered,
            content_html_diff: await diffRendered(before.rendered, current.rendered),
          }),
      });
    }
    // If only moves are shown, every version has the current content.
    current = policy === 'all' ? before : { ...current, topic: before.topic };
  }
  snapshots.push({
    timestamp: toSeconds(message.sentAt),
    user_id: message.senderId,
    topic: nameOf(current.topic),
    content: current.content,
    rendered_content: current.rendered,
  });
  return snapshots.reverse();
}

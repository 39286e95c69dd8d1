import type { Tx } from '@parley/db';
import { escapeHtml } from '@parley/markdown';
import { type MessageSnapshot, ApiError, emptyTopicDisplayName } from '@parley/protocol';
import { diffWordsWithSpace } from 'diff';

import { getMessage } from '../access/messages.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { toSeconds } from '../time.ts';
import { listMessageChanges } from './changes.ts';

/** With more changed words than this, the diff is a replacement of the whole text: a finer one would cost too much. */
const changedWordsMax = 1000;

/**
 * The versions of a message, oldest first. Changes that the organization does not show are left out.
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
    throw new ApiError('BAD_REQUEST', 'Message edit history is disabled in this organization');
  }
  const changes = (await listMessageChanges(tx, [messageId])).get(messageId) ?? [];
  const nameOf = (name: string) =>
    name === '' && topic && !allowEmptyTopicName ? emptyTopicDisplayName : name;

  // Each change stores the state before it. So the states are reconstructed from the newest to the oldest.
  const snapshots: MessageSnapshot[] = [];
  let current = { topic: topic?.name ?? '', content: message.content, rendered: message.renderedContent };
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
            content_html_diff: diffHtml(before.content, current.content),
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

/** The difference of two contents as HTML in which inserted and deleted text is marked. */
function diffHtml(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: changedWordsMax }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts
    .map(({ value, added, removed }) => {
      const text = escapeHtml(value).replaceAll('\n', '<br>');
      if (added) return `<span class="highlight_text_inserted">${text}</span>`;
      return removed ? `<span class="highlight_text_deleted">${text}</span>` : text;
    })
    .join('');
}

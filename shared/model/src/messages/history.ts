import type { Tx } from '@parley/db';
import { escapeHtml } from '@parley/markdown';
import { type MessageSnapshot, ApiError, emptyTopicDisplayName } from '@parley/protocol';
import { diffWordsWithSpace } from 'diff';

import { getMessage } from '../access/messages.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { toSeconds } from '../time.ts';
import { listMessageChanges } from './changes.ts';

/** Beyond so many changed words it is told as a replacement: looking for what is common costs more than it shows. */
const changedWordsMax = 1000;

/** What a message was, from its sending on; what the organization does not show is left out. */
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

  // Each change keeps what was before it, so what was after it is known from the end.
  const snapshots: MessageSnapshot[] = [];
  let now = { topic: topic?.name ?? '', content: message.content, rendered: message.renderedContent };
  for (const { at, userId, content, move } of changes.toReversed()) {
    const before = {
      topic: move?.prevTopic ?? now.topic,
      content: content?.prev ?? now.content,
      rendered: content?.prevRendered ?? now.rendered,
    };
    if (policy === 'all' || move) {
      snapshots.push({
        timestamp: toSeconds(at),
        user_id: userId,
        topic: nameOf(now.topic),
        content: now.content,
        rendered_content: now.rendered,
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
            content_html_diff: diffHtml(before.content, now.content),
          }),
      });
    }
    // Where only moves are shown, the content is shown as it is.
    now = policy === 'all' ? before : { ...now, topic: before.topic };
  }
  snapshots.push({
    timestamp: toSeconds(message.sentAt),
    user_id: message.senderId,
    topic: nameOf(now.topic),
    content: now.content,
    rendered_content: now.rendered,
  });
  return snapshots.reverse();
}

/** What was written and what was struck out, as HTML. */
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

import { limits } from '@parley/protocol';

import { emojiNameOf } from './emoji.ts';
import type { ForeignMessage, ForeignReaction } from './foreign.ts';
import { resolveReferences } from './foreign.ts';
import type { Organization } from './organization.ts';
import { realmId } from './people.ts';
import type { WrittenChannel } from './places.ts';
import { because } from './reasons.ts';
import { shorten, timeText } from './texts.ts';

/** The most characters of a message that is not sent here. */
const textLength = 2 * limits.messageLength;

/** Returns the text of a message, and whom it mentions. */
export function textOf(
  { people, tally }: Organization,
  channels: ReadonlyMap<string, WrittenChannel>,
  raw: string,
): { content: string; mentioned: Set<number> } {
  const mentioned = new Set<number>();
  const named = resolveReferences(raw, (what, key) => {
    if (what === 'channel') {
      const channel = channels.get(key);
      return channel ? `#**${channel.name}**` : `#${key}`;
    }
    const account = people.account(key);
    if (!account) return `@${key}`;
    mentioned.add(account.id);
    return people.mentionOf(account);
  });
  const text = named.replace(/^\n+/, '').trimEnd();
  const content = shorten(text, textLength);
  if (content !== text) tally.change('messages', because('cut_off', { characters: textLength }));
  return { content, mentioned };
}

/** Where a message is, by numbers. */
export interface Placed {
  id: number;
  ordinal: number;
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  senderId: number;
}

export const messageRow = (message: ForeignMessage, content: string, placed: Placed, client: string) => ({
  id: placed.id,
  realm_id: realmId,
  conversation_id: placed.conversationId,
  ordinal: placed.ordinal,
  channel_id: placed.channelId,
  topic_id: placed.topicId,
  sender_id: placed.senderId,
  sent_at: timeText(message.at),
  content,
  rendered_content: '',
  rendered_version: 0,
  client,
  has_link: /https?:\/\/|\]\(/.test(content),
  has_image: message.files?.some(({ type }) => type.startsWith('image/')) ?? false,
  has_attachment: (message.files?.length ?? 0) > 0,
  queue_id: null,
  local_id: null,
  read_by: [],
  unread_for: null,
  mentions_channel: message.mentionsAll === true,
  edited_at: message.editedAt === undefined ? null : timeText(message.editedAt),
  previews_due_at: null,
});

/** Returns the rows of those who starred a message or are mentioned in it. */
export function flagRows(
  messageId: number,
  { starredBy, mentioned }: { starredBy: ReadonlySet<number>; mentioned: ReadonlySet<number> },
): object[] {
  return [...new Set([...starredBy, ...mentioned])]
    .sort((a, b) => a - b)
    .map((userId) => ({
      user_id: userId,
      message_id: messageId,
      starred: starredBy.has(userId),
      collapsed: false,
      mentioned: mentioned.has(userId),
      topic_wildcard_mentioned: false,
      has_alert_word: false,
    }));
}

/** Returns the rows of reactions, without their numbers. Each emoji is one person's once. */
export function reactionRows(
  organization: Organization,
  emojiIds: ReadonlyMap<string, number>,
  messageId: number,
  reactions: readonly ForeignReaction[],
): object[] {
  const { people, tally } = organization;
  const seen = new Set<string>();
  const kinds = new Set<string>();
  return reactions.flatMap(({ emoji, users }) => {
    const columns = emojiColumns(emoji, emojiIds);
    if (!columns) {
      tally.drop('reactions', 'reaction_picture', users.length);
      return [];
    }
    kinds.add(columns.emoji_code);
    return users.flatMap((key) => {
      const userId = people.account(key)?.id;
      const one = `${userId} ${columns.emoji_code}`;
      const isFew = kinds.size <= limits.emojiPerMessage;
      if (userId === undefined || seen.has(one) || !isFew) {
        tally.drop('reactions', isFew ? 'twice' : 'reactions_max');
        return [];
      }
      seen.add(one);
      return [{ message_id: messageId, user_id: userId, ...columns }];
    });
  });
}

function emojiColumns(emoji: ForeignReaction['emoji'], emojiIds: ReadonlyMap<string, number>) {
  if ('code' in emoji) {
    const { code } = emoji;
    return { emoji_name: emojiNameOf(code), emoji_code: code, reaction_type: 'unicode_emoji' };
  }
  const id = emojiIds.get(emoji.custom);
  if (id === undefined) return null;
  return { emoji_name: emoji.custom, emoji_code: String(id), reaction_type: 'realm_emoji' };
}

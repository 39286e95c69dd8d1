import type { Tx } from '@parley/db';
import { directMessageHash, messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type NoticeTexts, noticeText } from '@parley/strings';

import { fenced, withoutMentions } from '../messages/index.ts';

/** The most characters of a message that its reminder quotes. */
const quoteMax = 8000;

/**
 * Returns what a reminder says of its message, without the message, in the user's language; undefined is a message that the
 * user may not read.
 */
export async function reminderText(
  tx: Tx,
  user: Actor,
  access: model.access.MessageAccess | undefined,
  note: string,
): Promise<string> {
  const { reminder: text } = await noticeText(user.settings.default_language);
  const parts = [access ? await describe(tx, user, access, text) : text.askedOfLost];
  if (note !== '') parts.push(text.note, fenced('quote', withoutMentions(note)));
  return parts.join('\n\n');
}

/** Returns what a reminder says when it is due. */
export async function dueReminderText(
  tx: Tx,
  user: Actor,
  access: model.access.MessageAccess | undefined,
  note: string,
): Promise<string> {
  const text = await reminderText(tx, user, access, note);
  if (!access) return text;
  const points = [...access.message.content];
  const quote = points.length > quoteMax ? `${points.slice(0, quoteMax).join('')}…` : access.message.content;
  const { reminder } = await noticeText(user.settings.default_language);
  return [text, ...(note === '' ? [] : [reminder.message]), fenced('quote', withoutMentions(quote))].join(
    '\n\n',
  );
}

async function describe(
  tx: Tx,
  user: Actor,
  access: model.access.MessageAccess,
  text: NoticeTexts['reminder'],
): Promise<string> {
  const { message, channel, topic, people } = access;
  const hash =
    channel && topic
      ? messageHash(channel.channel, topic.name, message.id)
      : directMessageHash(people ?? [], message.id);
  // A guest may read messages of users whom they may not know.
  const isHidden = (await model.access.inaccessibleUserIds(tx, user, [message.senderId])).size > 0;
  const [sender] = isHidden ? [] : await model.users.listUsers(tx, user.realm.id, [message.senderId]);
  return sender ? text.askedOf(hash, model.messages.silentMention(sender)) : text.asked(hash);
}

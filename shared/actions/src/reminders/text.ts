import type { Tx } from '@parley/db';
import { directMessageHash, messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { fenced, withoutMentions } from '../messages/index.ts';

/** The most characters of a message that its reminder quotes. */
const quoteMax = 8000;

/**
 * Returns what a reminder says of its message, without the message; undefined is a message that the user may not read.
 */
export async function reminderText(
  tx: Tx,
  user: Actor,
  access: model.access.MessageAccess | undefined,
  note: string,
): Promise<string> {
  const which = access
    ? await describe(tx, user, access)
    : 'a message that has been deleted, or that you can no longer read';
  const parts = [`You asked to be reminded of ${which}.`];
  if (note !== '') parts.push('Your note:', fenced('quote', withoutMentions(note)));
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
  return [text, ...(note === '' ? [] : ['The message:']), fenced('quote', withoutMentions(quote))].join(
    '\n\n',
  );
}

async function describe(tx: Tx, user: Actor, access: model.access.MessageAccess): Promise<string> {
  const { message, channel, topic, people } = access;
  const hash =
    channel && topic
      ? messageHash(channel.channel, topic.name, message.id)
      : directMessageHash(people ?? [], message.id);
  const link = `[a message](${hash})`;
  // A guest may read messages of users whom they may not know.
  const isHidden = (await model.access.inaccessibleUserIds(tx, user, [message.senderId])).size > 0;
  const [sender] = isHidden ? [] : await model.users.listUsers(tx, user.realm.id, [message.senderId]);
  return sender ? `${link} by ${model.messages.silentMention(sender)}` : link;
}

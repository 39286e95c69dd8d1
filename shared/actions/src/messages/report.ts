import type { Tx } from '@parley/db';
import { messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { fenced } from './fenced.ts';
import { noticeEvents } from './notices.ts';

/** The reasons for which a message may be reported, as moderators read them. */
export const reportTypes = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: "Breaks the community's rules",
  other: 'Other reason',
} as const;

export type ReportType = keyof typeof reportTypes;

export interface Report {
  messageId: number;
  type: ReportType;
  description: string;
}

/**
 * Reports a message to the moderators: the notification bot writes of it in the realm's channel for such reports.
 *
 * @throws BAD_REQUEST without such a channel, for a message that the actor may not read, or no description of another
 * reason
 */
export async function report(
  tx: Tx,
  { actor, messageId, type, description }: { actor: Actor } & Report,
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const moderation = await model.access.findChannel(tx, actor, rules.settings.moderation_request_channel_id);
  if (!moderation || moderation.channel.isArchived) {
    throw new ApiError('BAD_REQUEST', 'This organization does not take reports of messages.');
  }
  const access = await model.access.getMessage(tx, actor, messageId, { rules });
  if (type === 'other' && description.trim() === '') {
    throw new ApiError('BAD_REQUEST', 'Describe what is wrong with this message.');
  }
  const [sender] = await model.users.listUsers(tx, actor.realm.id, [access.message.senderId]);
  if (!sender) throw new Error(`A message of user ${access.message.senderId} is not from this realm.`);
  const content = [
    `${model.messages.silentMention(actor)} reported ${linkTo(access)} by ${model.messages.silentMention(sender)}.`,
    `**Reason:** ${reportTypes[type]}`,
    ...(description.trim() === '' ? [] : [fenced('quote', description.trim())]),
    fenced('spoiler Message', access.message.content),
  ].join('\n\n');
  const topic = model.messages.parseTopicName(`${sender.fullName}'s moderation requests`);
  const events = await noticeEvents(tx, actor.realm, { channel: moderation.channel, topic }, content);
  return { events };
}
report.actionName = 'messages.report' as const;

const linkTo = ({ message, channel, topic }: model.access.MessageAccess) =>
  channel && topic
    ? `[a message](${messageHash(channel.channel, topic.name, message.id)})`
    : 'a direct message';

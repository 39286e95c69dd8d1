import type { Tx, UserRow } from '@parley/db';
import { messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import type { NoticeTexts } from '@parley/strings';

import { fenced } from './fenced.ts';
import { type NoticeWriter, noticeEvents } from './notices.ts';

/** The reasons for which a message may be reported. */
export const reportTypes = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const;

type ReportType = (typeof reportTypes)[number];

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
    throw new ApiError('BAD_REQUEST', 'This organization does not accept reports of messages.');
  }
  const access = await model.access.getMessage(tx, actor, messageId, { rules });
  if (type === 'other' && description.trim() === '') {
    throw new ApiError('BAD_REQUEST', 'Describe what is wrong with this message.');
  }
  const [sender] = await model.users.listUsers(tx, actor.realm.id, [access.message.senderId]);
  if (!sender) throw new Error(`A message of user ${access.message.senderId} is not from this realm.`);
  const write: NoticeWriter = ({ report: text }) =>
    [
      reportedText(text, actor, access, sender),
      text.reason(text.reasons[type]),
      ...(description.trim() === '' ? [] : [fenced('quote', description.trim())]),
      fenced(`spoiler ${text.message}`, access.message.content),
    ].join('\n\n');
  const topic: NoticeWriter = (text) => model.messages.parseTopicName(text.report.topic(sender.fullName));
  return { events: await noticeEvents(tx, actor.realm, { channel: moderation.channel, topic }, write) };
}
report.actionName = 'messages.report' as const;

function reportedText(
  text: NoticeTexts['report'],
  actor: Actor,
  { message, channel, topic }: model.access.MessageAccess,
  sender: UserRow,
): string {
  const who = model.messages.silentMention(actor);
  const by = model.messages.silentMention(sender);
  return channel && topic
    ? text.reported(who, messageHash(channel.channel, topic.name, message.id), by)
    : text.reportedDirect(who, by);
}

import type { Tx } from '@parley/db';
import { type Parsed, type Rendered, rendererVersion } from '@parley/markdown';
import { emailVisibilities } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, events } from '@parley/protocol';

import { type SendPlan, isSimple } from './plan.ts';

export interface MessageText {
  content: string;
  /** JSON of a widget that a program sends with the message; most widgets are parsed from the text itself. */
  widget?: string | undefined;
  client: string;
  readBySender: boolean;
  /** When it was sent, in seconds since 1970; without a time, it is sent now. */
  sentAt?: number | undefined;
  echo: { queueId: string; localId: string } | null;
}

/** Users by the flag that the message has for them when it is sent. */
type StartingFlags = Partial<Record<'mentioned' | 'topic_wildcard_mentioned' | 'has_alert_word', number[]>>;

/** What a message brings along besides its text: mentions of users who receive it, and uploads. */
export interface MessageExtras {
  flags: StartingFlags;
  mentionsChannel: boolean;
  /** Mentioned users who are not subscribed to the channel: they receive this one message. */
  alsoReceivedBy: number[];
  /** Ids of uploads that the text links to; the caller has locked their rows. */
  attachments: number[];
  webhooks: NonNullable<NonNullable<PendingEvent['message']>['webhooks']>;
}

/**
 * Parses a text's content and widget to the form that is stored.
 *
 * @throws BAD_REQUEST for an empty text, a null byte, or an invalid widget
 */
export const parseMessageText = (text: MessageText): MessageText => ({
  ...text,
  content: model.messages.parseMessageContent(text.content),
  ...(text.widget !== undefined && { widget: model.submessages.parseWidget(text.widget) }),
});

/** A message that is planned and parsed, and not yet appended. */
export interface PreparedMessage {
  plan: SendPlan;
  text: MessageText;
  parsed: Parsed;
}

/**
 * Parses a text under a plan, which may have been made in a transaction.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 * @throws SERVER_NOT_READY when too many texts wait to be parsed
 */
export const prepare = async (plan: SendPlan, text: MessageText, tx?: Tx): Promise<PreparedMessage> => ({
  plan,
  text,
  parsed: tx
    ? await model.texts.parseTextIn(tx, text.content, plan.options)
    : await model.texts.parseText(text.content, plan.options),
});

/**
 * Returns the message as it is appended, if it mentions nobody and nothing else follows from it, so that it needs no
 * transaction of its own; null otherwise.
 */
export function plainMessage({ plan, text, parsed }: PreparedMessage): PendingEvent | null {
  const isPlain = isSimple(plan) && plan.address.webhookBots.length === 0;
  if (!isPlain || !parsed.isSelfContained) return null;
  const rendered = model.texts.renderParsedText(parsed);
  const { channel, topic } = rendered.mentions;
  return channel || topic ? null : pendingMessage(plan, text, rendered);
}

/** Returns the message as it is appended to the log, which adds its id and time. */
export function pendingMessage(
  plan: SendPlan,
  text: MessageText,
  rendered: Rendered,
  extras: Partial<MessageExtras> = {},
): PendingEvent {
  const { actor, address, rulesVersion } = plan;
  const { conversationId, channelId, topicId, people } = address;
  const { content, client, readBySender, echo, sentAt } = text;
  const { mentionsChannel = false, alsoReceivedBy = [], attachments = [], webhooks = [] } = extras;
  const widget = text.widget ?? model.submessages.widgetFromText(content);
  const { html: renderedContent, hasLink, hasImage, hasAttachment } = rendered;
  const alertedIds = plan.alertWords(rendered.text);
  const flags = { ...extras.flags, ...(alertedIds.length > 0 && { has_alert_word: alertedIds }) };
  const readBy = readBySender ? [actor.id, ...plan.mutedBy] : plan.mutedBy;
  const event = events.message({
    message: {
      id: 0,
      timestamp: 0,
      type: channelId === null ? 'private' : 'stream',
      sender_id: actor.id,
      sender_email: model.users.publicEmail(actor, actor.realm.emailDomain),
      sender_full_name: actor.fullName,
      sender_realm_str: actor.realm.name,
      recipient_id: conversationId,
      display_recipient: address.displayRecipient,
      ...(channelId !== null && { stream_id: channelId }),
      subject: address.subject,
      content,
      content_type: 'text/x-markdown',
      client,
      avatar_url: model.users.avatarUrl(actor),
      is_me_message: model.messages.isMeMessage(content),
      reactions: [],
      submessages: [],
      topic_links: plan.topicLinks,
    },
    rendered_content: renderedContent,
    is_gravatar: actor.emailVisibility === emailVisibilities.everyone && model.users.usesGravatar(actor),
    flags: { ...(readBy.length > 0 && { read: readBy }), ...flags },
    ...(mentionsChannel && { mentions_channel: true }),
    ...(echo && { echo: { queue_id: echo.queueId, local_id: echo.localId } }),
  });
  return {
    event,
    ...(people ? { users: people } : { conversations: [conversationId] }),
    ...(alsoReceivedBy.length > 0 && { users: alsoReceivedBy }),
    ...(plan.guestsWithoutAccess.length > 0 && { except: plan.guestsWithoutAccess }),
    ...(address.isPublic && { open: true }),
    rulesVersion,
    message: {
      conversationId,
      channelId,
      topicId,
      senderId: actor.id,
      content,
      renderedContent,
      client,
      readBy,
      ...(Object.keys(flags).length > 0 && { flags }),
      ...(mentionsChannel && { mentionsChannel }),
      ...(alsoReceivedBy.length > 0 && { alsoReceivedBy }),
      ...(attachments.length > 0 && { attachments }),
      ...(webhooks.length > 0 && { webhooks }),
      ...(widget !== null && { widget }),
      ...(echo && { echo }),
      ...(sentAt !== undefined && { sentAt }),
      ...(rendered.pages.length > 0 && { previewsDue: true }),
      renderedVersion: rendererVersion,
      has: { link: hasLink, image: hasImage, attachment: hasAttachment },
    },
    ...(address.emptyChannel && {
      opening: model.channels.firstMessageIdEvent(
        address.emptyChannel.channel,
        address.emptyChannel.audience,
      ),
    }),
  };
}

/** Returns the message with a hidden sender, for guests who may not know the sender. */
export function hiddenSenderEvents(
  { actor, guestsWithoutAccess }: SendPlan,
  { event }: PendingEvent,
): PendingEvent[] {
  if (guestsWithoutAccess.length === 0) return [];
  // Safe: pendingMessage returns events of messages.
  const logged = event as ReturnType<typeof events.message>;
  const message = {
    ...logged.message,
    ...model.users.unknownSenderFields(actor.id, actor.realm.emailDomain),
  };
  return [
    { event: { ...logged, message, is_gravatar: false }, users: guestsWithoutAccess, copiesMessage: true },
  ];
}

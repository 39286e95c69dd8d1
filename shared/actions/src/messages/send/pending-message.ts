import { type Parsed, type Rendered, rendererVersion } from '@parley/markdown';
import {
  parseText,
  renderParsedText,
  isMeMessage,
  parseMessageContent,
  parseWidget,
  widgetFromText,
  publicEmail,
  avatarUrl,
  usesGravatar,
  firstMessageIdEvent,
  unknownSenderFields,
} from '@parley/model';
import { type PendingEvent, events } from '@parley/protocol';

import { type SendPlan, isSimple } from './plan.ts';

export interface MessageText {
  content: string;
  /** JSON of a widget that its program sends with it; most come from the text itself. */
  widget?: string | undefined;
  client: string;
  readBySender: boolean;
  echo: { queueId: string; localId: string } | null;
}

/** Users by the flag that the message has for them from the start. */
type StartingFlags = Partial<Record<'mentioned' | 'topic_wildcard_mentioned' | 'has_alert_word', number[]>>;

/** Whom a message's text names, as far as they may hear it. */
export interface MessageExtras {
  flags: StartingFlags;
  mentionsChannel: boolean;
  /** Mentioned users who are not in the channel: they receive this one message. */
  alsoReceivedBy: number[];
  attachments: number[];
}

/**
 * A text with its content and its widget as they are stored.
 *
 * @throws BAD_REQUEST for an empty text, a null byte, or a widget that is none
 */
export const parseMessageText = (text: MessageText): MessageText => ({
  ...text,
  content: parseMessageContent(text.content),
  ...(text.widget !== undefined && { widget: parseWidget(text.widget) }),
});

/** A message that is planned and parsed, and not yet written. */
export interface PreparedMessage {
  plan: SendPlan;
  text: MessageText;
  parsed: Parsed;
}

/**
 * Parses a text as its plan says.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 */
export const prepare = (plan: SendPlan, text: MessageText): PreparedMessage => ({
  plan,
  text,
  parsed: parseText(text.content, plan.options),
});

/** The message, where it mentions nobody and nothing else comes of it: it needs no transaction of its own. Else null. */
export function plainMessage({ plan, text, parsed }: PreparedMessage): PendingEvent | null {
  if (!isSimple(plan) || !parsed.isSelfContained) return null;
  const rendered = renderParsedText(parsed);
  const { channel, topic } = rendered.mentions;
  return channel || topic ? null : pendingMessage(plan, text, rendered);
}

/** The message as it goes into the log, which adds its id and time. */
export function pendingMessage(
  plan: SendPlan,
  text: MessageText,
  rendered: Rendered,
  reach: Partial<MessageExtras> = {},
): PendingEvent {
  const { actor, address, rulesVersion } = plan;
  const { conversationId, channelId, topicId, people } = address;
  const { content, client, readBySender, echo } = text;
  const { mentionsChannel = false, alsoReceivedBy = [], attachments = [] } = reach;
  const widget = text.widget ?? widgetFromText(content);
  const { html: renderedContent, hasLink, hasImage, hasAttachment } = rendered;
  const alerted = plan.alertWords(rendered.text);
  const flags = { ...reach.flags, ...(alerted.length > 0 && { has_alert_word: alerted }) };
  const readBy = readBySender ? [actor.id, ...plan.mutedBy] : plan.mutedBy;
  const event = events.message({
    message: {
      id: 0,
      timestamp: 0,
      type: channelId === null ? 'private' : 'stream',
      sender_id: actor.id,
      sender_email: publicEmail(actor, actor.realm.host),
      sender_full_name: actor.fullName,
      sender_realm_str: actor.realm.name,
      recipient_id: conversationId,
      display_recipient: address.displayRecipient,
      ...(channelId !== null && { stream_id: channelId }),
      subject: address.subject,
      content,
      content_type: 'text/x-markdown',
      client,
      avatar_url: avatarUrl(actor),
      is_me_message: isMeMessage(content),
      reactions: [],
      submessages: [],
      topic_links: plan.topicLinks,
    },
    rendered_content: renderedContent,
    is_gravatar: actor.emailVisibility === 1 && usesGravatar(actor),
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
      ...(widget !== null && { widget }),
      ...(echo && { echo }),
      ...(rendered.pages.length > 0 && { previewsDue: true }),
      renderedVersion: rendererVersion,
      has: { link: hasLink, image: hasImage, attachment: hasAttachment },
    },
    ...(address.emptyChannel && {
      opening: firstMessageIdEvent(address.emptyChannel.channel, address.emptyChannel.audience),
    }),
  };
}

/** The message as guests hear it who may not know whose it is. */
export function hiddenSenderEvents(
  { actor, guestsWithoutAccess }: SendPlan,
  { event }: PendingEvent,
): PendingEvent[] {
  if (guestsWithoutAccess.length === 0) return [];
  // Safe: pending of messages are made above.
  const logged = event as ReturnType<typeof events.message>;
  const message = { ...logged.message, ...unknownSenderFields(actor.id, actor.realm.host) };
  return [
    { event: { ...logged, message, is_gravatar: false }, users: guestsWithoutAccess, copiesMessage: true },
  ];
}

import { type Tx, tables } from '@parley/db';
import { type TopicLink, topicLinks } from '@parley/markdown';
import { type Draft, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { mayHaveLinks } from '../attachments/links.ts';
import type { Watchers } from '../channels/watchers.ts';
import { getLinkifiers } from '../linkifiers/find.ts';
import { type Rules, getRules } from '../realms/rules.ts';
import { widgetIn } from '../submessages/widget.ts';
import { avatarUrl, hasGravatar, hiddenSender, publicEmail } from '../users/present.ts';
import { listBlind, restrictsGuests } from '../users/seen.ts';
import { type Address, type Recipient, findAddress, hasBegun } from './address.ts';
import { type AlertWords, type AlertWordsOfRealms, noAlertWords } from './alert-words.ts';
import { autoPolicy } from './auto-policy.ts';
import { renderPlain } from './render.ts';

/**
 * All that sending depends on besides the text: who sends, where to, by which rules. Good for any number of
 * messages until the realm's rules change; the log refuses a draft made under older rules.
 */
export interface SendPlan {
  actor: Actor;
  address: Address;
  rulesVersion: number;
  topicLinks: TopicLink[];
  alertWords: AlertWords;
  /** Users who mute the sender: they have read it as it comes. */
  mutedBy: number[];
  /** How visible the topic becomes to its sender by this message; null where it stays. */
  newPolicy: number | null;
  /** Guests who hear the message and may not know whose it is. */
  blind: number[];
  /** The first words of a conversation with a guest who sees, from then on, the others in it. */
  isIntroduction: boolean;
}

/**
 * `getActor` reads the sender anew, and refuses one who may no longer act. Alert words and mutes are looked up for
 * what people send, not for notices.
 */
export async function planSend(
  tx: Tx,
  realmId: number,
  getActor: (tx: Tx) => Promise<Actor>,
  recipient: Recipient,
  alertWords?: AlertWordsOfRealms,
): Promise<SendPlan> {
  // Read first: what changes after them makes the plan look older than it is, never newer.
  const rules = await getRules(tx, realmId);
  const actor = await getActor(tx);
  const address = await findAddress(tx, actor, recipient, rules);
  return {
    ...(await planNotice(tx, rules, actor, address)),
    alertWords: alertWords ? await alertWords.find(tx, realmId, rules.version) : noAlertWords,
    mutedBy: await listMuters(tx, actor.id),
    newPolicy: await newPolicyOf(tx, actor, address),
    ...(restrictsGuests(rules) && {
      blind: address.people ? [] : await listBlind(tx, rules, address.conversationId, actor),
      isIntroduction: address.people !== null && !(await hasBegun(tx, realmId, address.people)),
    }),
  };
}

/** A plan for somebody whom everyone sees and nobody mutes, and who may write where they do. The rules are read first. */
export async function planNotice(
  tx: Tx,
  { version: rulesVersion }: Rules,
  actor: Actor,
  address: Address,
): Promise<SendPlan> {
  const { subject } = address;
  return {
    actor,
    address,
    rulesVersion,
    topicLinks: subject === '' ? [] : topicLinks(subject, await getLinkifiers(tx, actor.realm.id)),
    alertWords: noAlertWords,
    mutedBy: [],
    newPolicy: null,
    blind: [],
    isIntroduction: false,
  };
}

async function listMuters(tx: Tx, userId: number): Promise<number[]> {
  const { mutedUsers } = tables;
  const rows = await tx
    .select({ id: mutedUsers.userId })
    .from(mutedUsers)
    .where(eq(mutedUsers.mutedUserId, userId))
    .orderBy(mutedUsers.userId);
  return rows.map(({ id }) => id);
}

async function newPolicyOf(tx: Tx, actor: Actor, address: Address): Promise<number | null> {
  const { conversationId, topicId } = address;
  if (topicId === null) return null;
  return await autoPolicy(tx, actor, { conversationId, topicId }, address.isNewTopic ? 'start' : 'send');
}

/** Whether nothing but the message itself comes of sending it. */
export const isSimple = ({ newPolicy, blind, isIntroduction }: SendPlan) =>
  newPolicy === null && blind.length === 0 && !isIntroduction;

/** Whether every message of the plan is the same but for its text, so that the plan is worth remembering. */
export const isLasting = (plan: SendPlan) =>
  isSimple(plan) && plan.address.newTo === null && !plan.address.isNewTopic;

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
export interface Reach {
  flags: StartingFlags;
  mentionsChannel: boolean;
  /** Mentioned users who are not in the channel: they receive this one message. */
  alsoReceivedBy: number[];
  attachments: number[];
}

/** The message as it goes into the log, which adds its id and time. */
export function draftMessage(plan: SendPlan, text: MessageText, reach: Partial<Reach> = {}): Draft {
  const { actor, address, rulesVersion } = plan;
  const { conversationId, channelId, topicId, people } = address;
  const { content, client, readBySender, echo } = text;
  const { mentionsChannel = false, alsoReceivedBy = [], attachments = [] } = reach;
  const widget = text.widget ?? widgetIn(content);
  const renderedContent = renderPlain(content);
  const alerted = plan.alertWords(content);
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
    is_gravatar: actor.emailVisibility === 1 && hasGravatar(actor),
    flags: { ...(readBy.length > 0 && { read: readBy }), ...flags },
    ...(mentionsChannel && { mentions_channel: true }),
    ...(echo && { echo: { queue_id: echo.queueId, local_id: echo.localId } }),
  });
  return {
    event,
    ...(people ? { users: people } : { conversations: [conversationId] }),
    ...(alsoReceivedBy.length > 0 && { users: alsoReceivedBy }),
    ...(plan.blind.length > 0 && { except: plan.blind }),
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
      has: {
        link: /https?:\/\//.test(content),
        image: false,
        attachment: mayHaveLinks(content),
      },
    },
    ...(address.newTo && channelId !== null && { opening: openingOf(address, address.newTo, channelId) }),
  };
}

/** The message as guests hear it who may not know whose it is. */
export function draftForBlind({ actor, blind }: SendPlan, { event }: Draft): Draft[] {
  if (blind.length === 0) return [];
  // Safe: drafts of messages are made above.
  const logged = event as ReturnType<typeof events.message>;
  const message = { ...logged.message, ...hiddenSender(actor.id, actor.realm.host) };
  return [{ event: { ...logged, message, is_gravatar: false }, users: blind, copiesMessage: true }];
}

export const isMeMessage = (content: string) => content.startsWith('/me ') && !content.includes('\n');

/** A channel's first message is a fact that all who see the channel are told. */
function openingOf(address: Address, watchers: Watchers, channelId: number): Draft {
  const event = events.stream.update({
    stream_id: channelId,
    name: typeof address.displayRecipient === 'string' ? address.displayRecipient : '',
    property: 'first_message_id',
    value: null,
    ...(address.isArchived && { of_archived: 'archived' }),
  });
  return { event, ...watchers };
}

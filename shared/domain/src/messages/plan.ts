import { type Tx, tables } from '@parley/db';
import { type Draft, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import type { Watchers } from '../channels/watchers.ts';
import { avatarUrl, publicEmail } from '../users/present.ts';
import { type Address, type Recipient, findAddress } from './address.ts';
import { renderPlain } from './render.ts';

/**
 * All that sending depends on besides the text: who sends, where to, by which rules. Good for any number of
 * messages until the realm's rules change; the log refuses a draft made under older rules.
 */
export interface SendPlan {
  actor: Actor;
  address: Address;
  rulesVersion: number;
}

/** `getActor` reads the sender anew, and refuses one who may no longer act. */
export async function planSend(
  tx: Tx,
  realmId: number,
  getActor: (tx: Tx) => Promise<Actor>,
  recipient: Recipient,
): Promise<SendPlan> {
  return await planSendAs(
    tx,
    realmId,
    () => getActor(tx),
    (actor) => findAddress(tx, actor, recipient),
  );
}

/** A plan for an address that is found, or permitted, in a way of its own. */
export async function planSendAs(
  tx: Tx,
  realmId: number,
  getActor: () => Promise<Actor>,
  getAddress: (actor: Actor) => Promise<Address>,
): Promise<SendPlan> {
  const { realmHeads } = tables;
  // Read first: what changes after it makes the plan look older than it is, never newer.
  const [head] = await tx
    .select({ rulesVersion: realmHeads.rulesVersion })
    .from(realmHeads)
    .where(eq(realmHeads.realmId, realmId));
  if (!head) throw new Error(`Realm ${realmId} has no log.`);
  const actor = await getActor();
  return { actor, address: await getAddress(actor), rulesVersion: head.rulesVersion };
}

export interface MessageText {
  content: string;
  client: string;
  readBySender: boolean;
  echo: { queueId: string; localId: string } | null;
}

/** The message as it goes into the log, which adds its id and time. */
export function draftMessage({ actor, address, rulesVersion }: SendPlan, text: MessageText): Draft {
  const { conversationId, channelId, topicId, people } = address;
  const { content, client, readBySender, echo } = text;
  const renderedContent = renderPlain(content);
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
      topic_links: [],
    },
    rendered_content: renderedContent,
    is_gravatar: actor.emailVisibility === 1,
    flags: readBySender ? { read: [actor.id] } : {},
    ...(echo && { echo: { queue_id: echo.queueId, local_id: echo.localId } }),
  });
  return {
    event,
    ...(people ? { users: people } : { conversations: [conversationId] }),
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
      readBy: readBySender ? [actor.id] : [],
      ...(echo && { echo }),
      has: {
        link: /https?:\/\//.test(content),
        image: false,
        attachment: content.includes('/user_uploads/'),
      },
    },
    ...(address.newTo && channelId !== null && { opening: openingOf(address, address.newTo, channelId) }),
  };
}

export const isMeMessage = (content: string) => content.startsWith('/me ') && !content.includes('\n');

/** A channel's first message is a fact that all who see the channel are told. */
function openingOf(address: Address, watchers: Watchers, channelId: number): Draft {
  const event = events.stream.update({
    stream_id: channelId,
    name: typeof address.displayRecipient === 'string' ? address.displayRecipient : '',
    property: 'first_message_id',
    value: null,
  });
  return { event, ...watchers };
}

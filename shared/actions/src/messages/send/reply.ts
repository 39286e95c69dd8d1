import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { type Address, addressInChannel, addressOfPeople } from './address.ts';
import { type MessageText, parseMessageText, prepare } from './pending-message.ts';
import { planTo } from './plan.ts';
import { sendPrepared } from './send.ts';

/**
 * Sends a message of a bot to where another message is now, whether or not the bot may write there. Does nothing if that
 * message is gone, or its channel is archived.
 *
 * @throws BAD_REQUEST for a text that cannot be sent
 */
export async function replyTo(
  tx: Tx,
  bot: Actor,
  messageId: number,
  text: MessageText,
  alertWords: model.alertWords.AlertWordCache,
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, bot.realm.id);
  const address = await addressOf(tx, bot, messageId, rules);
  if (!address) return { events: [] };
  const plan = await planTo(tx, rules, bot, address, alertWords);
  return await sendPrepared(tx, await prepare(plan, parseMessageText(text), tx));
}

async function addressOf(
  tx: Tx,
  bot: Actor,
  messageId: number,
  rules: model.permissions.Rules,
): Promise<Address | undefined> {
  const { realm } = bot;
  const { channels, conversations, messages, topics } = tables;
  const [found] = await tx
    .select({ channel: channels, topic: topics.name, people: conversations.people })
    .from(messages)
    .leftJoin(channels, and(eq(channels.realmId, realm.id), eq(channels.id, messages.channelId)))
    .leftJoin(topics, and(eq(topics.realmId, realm.id), eq(topics.id, messages.topicId)))
    .leftJoin(
      conversations,
      and(eq(conversations.realmId, realm.id), eq(conversations.id, messages.conversationId)),
    )
    .where(and(eq(messages.id, messageId), eq(messages.realmId, realm.id)));
  if (!found) return undefined;
  const { channel, topic, people } = found;
  if (channel) {
    return channel.isArchived ? undefined : await addressInChannel(tx, realm, channel, topic ?? '', rules);
  }
  return people
    ? await addressOfPeople(tx, bot, await model.users.listUsers(tx, realm.id, people))
    : undefined;
}

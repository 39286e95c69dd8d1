import { type ChannelRow, type Tx, tables } from '@parley/db';
import { type Realm, type Actor, actorOf } from '@parley/model';
import * as model from '@parley/model';
import type { PendingEvent } from '@parley/protocol';
import { type NoticeTexts, noticeText } from '@parley/strings';
import { and, eq, like } from 'drizzle-orm';

import { type Address, addressInChannel, addressOfPeople } from './send/address.ts';
import { pendingMessage } from './send/pending-message.ts';
import { planNotice } from './send/plan.ts';

/** Writes a notice, or names its topic, in the language of those who read it. */
export type NoticeWriter = (text: NoticeTexts) => string;

/**
 * Where a bot of the server's sends a notice: to a channel, or to each of some users in a conversation of their own. A
 * channel that has only the empty topic gets it there.
 */
export type NoticePlace = { channel: ChannelRow; topic: string | NoticeWriter } | { users: number[] };

/** The server's bots: the names before the `@` of their addresses. */
type SystemBot = 'notification-bot' | 'welcome-bot';

export interface NoticeOptions {
  /** Users who have read the notice when it arrives, as the one who caused it. */
  readBy?: number[];
  /** If set, the notice arrives as unread for these users only. */
  unreadFor?: number[];
  /** Which of the server's bots sends it; the notification bot by default. */
  bot?: SystemBot;
}

/**
 * Returns events of a notice that a bot of the server's sends about an action, which the action returns with its own.
 * The bot may write anywhere. Topics and direct conversations are created where they do not exist. A notice to a channel is
 * in the language of the organization, one to a person in theirs.
 */
export async function noticeEvents(
  tx: Tx,
  realm: Realm,
  place: NoticePlace,
  write: NoticeWriter,
  options: NoticeOptions = {},
): Promise<PendingEvent[]> {
  const rules = await model.permissions.getRules(tx, realm.id);
  const bot = await getSystemBot(tx, realm, options.bot ?? 'notification-bot');
  const pending: PendingEvent[] = [];
  for (const { address, text } of await findAddresses(tx, bot, place, rules)) {
    const content = write(text);
    const message = { content, client: 'Internal', readBySender: false, echo: null };
    const plan = await planNotice(tx, rules, bot, address);
    const parsed = await model.texts.parseTextIn(tx, content, plan.options);
    // Whatever a notice of the server names may be shown to everyone who reads it.
    const resolved = await model.texts.resolveParsedText(tx, { actor: bot, seesAll: true }, rules, parsed);
    pending.push(
      asReadBy(pendingMessage(plan, message, model.texts.renderParsedText(parsed, resolved)), options),
    );
  }
  return pending;
}

async function findAddresses(
  tx: Tx,
  bot: Actor,
  place: NoticePlace,
  rules: model.permissions.Rules,
): Promise<{ address: Address; text: NoticeTexts }[]> {
  if ('channel' in place) {
    const text = await noticeText(rules.settings.default_language);
    const named = typeof place.topic === 'string' ? place.topic : place.topic(text);
    const topic = place.channel.topicsPolicy === 'empty_topic_only' ? '' : named;
    return [{ address: await addressInChannel(tx, bot.realm, place.channel, topic, rules), text }];
  }
  const addresses: { address: Address; text: NoticeTexts }[] = [];
  for (const user of await model.users.listUsers(tx, bot.realm.id, place.users)) {
    const text = await noticeText(model.users.languageOfUser(user));
    addresses.push({ address: await addressOfPeople(tx, bot, [user]), text });
  }
  return addresses;
}

function asReadBy(pending: PendingEvent, { readBy = [], unreadFor }: NoticeOptions): PendingEvent {
  if (!pending.message) return pending;
  return {
    ...pending,
    event: {
      ...pending.event,
      ...(readBy.length > 0 && { flags: { read: readBy } }),
      ...(unreadFor && { unread_for: unreadFor }),
    },
    message: { ...pending.message, readBy, ...(unreadFor && { unreadFor }) },
  };
}

async function getSystemBot(tx: Tx, realm: Realm, name: SystemBot): Promise<Actor> {
  const { users } = tables;
  const [bot] = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realm.id), users.isSystem, like(users.email, `${name}@%`)));
  if (!bot) throw new Error(`Realm ${realm.id} has no ${name}.`);
  return actorOf(bot, realm);
}

import { type Tx, tables } from '@parley/db';
import { type Options, type TopicLink, topicLinks } from '@parley/markdown';
import {
  type Actor,
  type AlertWordMatcher,
  type AlertWordCache,
  getRules,
  noAlertWords,
  restrictsGuests,
  subscribersWithoutAccess,
  type Rules,
  getTextOptions,
  automaticTopicPolicy,
} from '@parley/model';
import { eq } from 'drizzle-orm';

import { type Address, getAddress } from './address.ts';
import { type Recipient, hasDirectMessages } from './recipients.ts';

/**
 * All that sending depends on besides the text: who sends, where to, by which rules. Good for any number of
 * messages until the realm's rules change; the log refuses a draft made under older rules.
 */
export interface SendPlan {
  actor: Actor;
  address: Address;
  rulesVersion: number;
  /** How the sender's texts are read. */
  options: Options;
  topicLinks: TopicLink[];
  alertWords: AlertWordMatcher;
  /** Users who mute the sender: they have read it as it comes. */
  mutedBy: number[];
  /** How visible the topic becomes to its sender by this message; null where it stays. */
  newPolicy: number | null;
  /** Guests who hear the message and may not know whose it is. */
  guestsWithoutAccess: number[];
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
  alertWords?: AlertWordCache,
): Promise<SendPlan> {
  // Read first: what changes after them makes the plan look older than it is, never newer.
  const rules = await getRules(tx, realmId);
  const actor = await getActor(tx);
  const address = await getAddress(tx, actor, recipient, rules);
  return {
    ...(await planNotice(tx, rules, actor, address)),
    alertWords: alertWords ? await alertWords.find(tx, realmId, rules.version) : noAlertWords,
    mutedBy: await listMuters(tx, actor.id),
    newPolicy: await newPolicyOf(tx, actor, address),
    ...(restrictsGuests(rules) && {
      guestsWithoutAccess: address.people
        ? []
        : await subscribersWithoutAccess(tx, rules, address.conversationId, actor),
      isIntroduction: address.people !== null && !(await hasDirectMessages(tx, realmId, address.people)),
    }),
  };
}

/** A plan for somebody whom everyone sees and nobody mutes, and who may write where they do. The rules are read first. */
export async function planNotice(tx: Tx, rules: Rules, actor: Actor, address: Address): Promise<SendPlan> {
  const options = await getTextOptions(tx, actor, rules);
  return {
    actor,
    address,
    rulesVersion: rules.version,
    options,
    topicLinks: topicLinks(address.subject, options.linkifiers),
    alertWords: noAlertWords,
    mutedBy: [],
    newPolicy: null,
    guestsWithoutAccess: [],
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
  return await automaticTopicPolicy(
    tx,
    actor,
    { conversationId, topicId },
    address.isNewTopic ? 'start' : 'send',
  );
}

/** Whether nothing but the message itself comes of sending it. */
export const isSimple = ({ newPolicy, guestsWithoutAccess, isIntroduction }: SendPlan) =>
  newPolicy === null && guestsWithoutAccess.length === 0 && !isIntroduction;

/** Whether every message of the plan is the same but for its text, so that the plan is worth remembering. */
export const isReusable = (plan: SendPlan) =>
  isSimple(plan) && plan.address.emptyChannel === null && !plan.address.isNewTopic;

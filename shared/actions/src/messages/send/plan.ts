import { type Tx, tables } from '@parley/db';
import { type TopicLink, topicLinks } from '@parley/markdown';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { and, eq } from 'drizzle-orm';

import { type Address, getAddress, lookUpTopic } from './address.ts';
import { type Recipient, hasDirectMessages } from './recipients.ts';

/**
 * All that sending a message depends on besides its text: the sender, the address and the version of the realm's rules.
 * A plan holds for any number of messages until the realm's rules change; the log refuses a message that was planned
 * under older rules.
 */
export interface SendPlan {
  actor: Actor;
  address: Address;
  rulesVersion: number;
  /** How the sender's texts are parsed and rendered. */
  options: model.texts.TextOptions;
  topicLinks: TopicLink[];
  alertWords: model.alertWords.AlertWordMatcher;
  /** Users who mute the sender: the message arrives as read for them. */
  mutedBy: number[];
  /** The visibility policy that the topic gets for its sender by this message; null if it stays as it is. */
  newPolicy: number | null;
  /** Guests who receive the message and may not know its sender. */
  guestsWithoutAccess: number[];
  /** The message opens a conversation with a guest, who may see the others in it from then on. */
  isIntroduction: boolean;
}

/**
 * Plans messages of a sender to a recipient. `getActor` reads the sender anew, and refuses one who may no longer act.
 * Creates topics and direct conversations that do not exist.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
 * @throws BAD_REQUEST where the sender may not write
 */
export async function planSend(
  tx: Tx,
  realmId: number,
  getActor: (tx: Tx) => Promise<Actor>,
  recipient: Recipient,
  alertWords?: model.alertWords.AlertWordCache,
): Promise<SendPlan> {
  // The rules are read first: a change after that makes the plan look older than it is, never newer.
  const rules = await model.permissions.getRules(tx, realmId);
  const [actor, topic] = await Promise.all([
    getActor(tx),
    recipient.type === 'channel' ? lookUpTopic(tx, realmId, recipient.channel, recipient.topic) : undefined,
  ]);
  const address = await getAddress(tx, actor, recipient, { rules, topic });
  return await planTo(tx, rules, actor, address, alertWords);
}

/** Plans messages to an address at which the actor may write. The caller has read the rules before anything else. */
export async function planTo(
  tx: Tx,
  rules: model.permissions.Rules,
  actor: Actor,
  address: Address,
  alertWords?: model.alertWords.AlertWordCache,
): Promise<SendPlan> {
  const [notice, matcher, mutedBy, newPolicy, guests] = await Promise.all([
    planNotice(tx, rules, actor, address),
    alertWords ? alertWords.find(tx, actor.realm.id, rules.version) : model.alertWords.noAlertWords,
    listMuters(tx, actor),
    newPolicyOf(tx, actor, address),
    model.access.restrictsGuests(rules) ? planForGuests(tx, rules, actor, address) : {},
  ]);
  return { ...notice, alertWords: matcher, mutedBy, newPolicy, ...guests };
}

/** What follows where guests may not know everybody. */
async function planForGuests(
  tx: Tx,
  rules: model.permissions.Rules,
  actor: Actor,
  { people, conversationId }: Address,
): Promise<Pick<SendPlan, 'guestsWithoutAccess' | 'isIntroduction'>> {
  return people
    ? { guestsWithoutAccess: [], isIntroduction: !(await hasDirectMessages(tx, actor.realm.id, people)) }
    : {
        guestsWithoutAccess: await model.access.subscribersWithoutAccess(
          tx,
          rules,
          { realmId: actor.realm.id, conversationId },
          actor,
        ),
        isIntroduction: false,
      };
}

/**
 * Plans a notice: a message of a sender whom everyone may see, nobody mutes and who may write anywhere. The caller has
 * read the rules before anything else.
 */
export async function planNotice(
  tx: Tx,
  rules: model.permissions.Rules,
  actor: Actor,
  address: Address,
): Promise<SendPlan> {
  const options = await model.texts.getTextOptions(tx, actor, rules);
  return {
    actor,
    address,
    rulesVersion: rules.version,
    options,
    topicLinks: topicLinks(address.subject, model.texts.compiledLinkifiers(options)),
    alertWords: model.alertWords.noAlertWords,
    mutedBy: [],
    newPolicy: null,
    guestsWithoutAccess: [],
    isIntroduction: false,
  };
}

async function listMuters(tx: Tx, { id, realm }: Actor): Promise<number[]> {
  const { mutedUsers } = tables;
  const rows = await tx
    .select({ id: mutedUsers.userId })
    .from(mutedUsers)
    .where(and(eq(mutedUsers.realmId, realm.id), eq(mutedUsers.mutedUserId, id)))
    .orderBy(mutedUsers.userId);
  return rows.map(({ id }) => id);
}

async function newPolicyOf(tx: Tx, actor: Actor, address: Address): Promise<number | null> {
  const { conversationId, topicId } = address;
  if (topicId === null) return null;
  return await model.userTopics.automaticTopicPolicy(
    tx,
    actor,
    { conversationId, topicId },
    address.isNewTopic ? 'start' : 'send',
  );
}

/** Returns whether nothing but the message itself follows from sending it. */
export const isSimple = ({ newPolicy, guestsWithoutAccess, isIntroduction }: SendPlan) =>
  newPolicy === null && guestsWithoutAccess.length === 0 && !isIntroduction;

/** Returns whether messages of the plan differ only in their text, so that the plan can be used again. */
export const isReusable = (plan: SendPlan) =>
  isSimple(plan) && plan.address.emptyChannel === null && !plan.address.isNewTopic;

import type { Tx } from '@parley/db';
import {
  getRules,
  resolveTextReferences,
  renderParsedText,
  newConversationAccessEvents,
  findTopicPolicies,
  topicPolicies,
} from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';

import { lockReferenced } from '../../attachments/index.ts';
import { setPolicies } from '../../user-topics/index.ts';
import { resolveMentions, type ResolvedMentions } from './mentions.ts';
import { type PreparedMessage, hiddenSenderEvents, pendingMessage } from './pending-message.ts';
import type { SendPlan } from './plan.ts';

export interface SendResult extends ActionResult {
  /** How visible the topic has become to the sender by the message; null where it stays. */
  newPolicy: number | null;
}

/**
 * Sends a message with all that it brings along: mentions, files, and topics that become more visible to their
 * sender and to those it mentions. What most messages are goes without it: see plainMessage.
 *
 * @throws BAD_REQUEST STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the
 * sender may not use
 */
export async function send(tx: Tx, { plan, text, parsed }: PreparedMessage): Promise<SendResult> {
  const { actor } = plan;
  const { references } = parsed;
  const files = await lockReferenced(tx, actor, references.uploads);
  const rules = await getRules(tx, actor.realm.id);
  const found = await resolveTextReferences(tx, { actor, seesAll: false }, rules, references, files.rows);
  const rendered = renderParsedText(parsed, found);
  const reach = await resolveMentions(tx, plan, rendered, found.people);
  const attachments = files.rows.map(({ id }) => id);
  const message = pendingMessage(plan, text, rendered, { ...reach, attachments });
  const introduction = await introductionOf(tx, plan);
  return {
    events: [
      ...introduction,
      ...(await raiseVisibility(tx, plan, reach)),
      message,
      ...hiddenSenderEvents(plan, message),
      ...files.events,
    ],
    // As whom a guest knows the sender of a message depends on who sees whom.
    keepsRules: introduction.length === 0,
    newPolicy: plan.newPolicy,
  };
}

async function introductionOf(tx: Tx, { actor, address, isIntroduction }: SendPlan): Promise<PendingEvent[]> {
  if (!isIntroduction || !address.people) return [];
  return await newConversationAccessEvents(
    tx,
    actor.realm,
    await getRules(tx, actor.realm.id),
    address.people,
  );
}

/** The topic rises for its sender, and for those who follow where they are mentioned. */
async function raiseVisibility(
  tx: Tx,
  { address, newPolicy, actor }: SendPlan,
  reach: ResolvedMentions,
): Promise<PendingEvent[]> {
  const { topicId, channelId, subject } = address;
  if (topicId === null || channelId === null) return [];
  const topic = { id: topicId, channelId, name: subject };
  const followers = reach.mentioned
    .filter(({ id, follows }) => follows && id !== actor.id)
    .map(({ id }) => id);
  const current = await findTopicPolicies(tx, topicId, followers);
  const changed = followers.filter((id) => current.get(id) !== topicPolicies.followed);
  return [
    ...(newPolicy === null ? [] : await setPolicies(tx, topic, new Map([[actor.id, newPolicy]]))),
    ...(await setPolicies(tx, topic, new Map(changed.map((id) => [id, topicPolicies.followed])))),
  ];
}

import type { Tx } from '@parley/db';
import type { Rendered } from '@parley/markdown';
import * as model from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';

import { type LockedAttachments, lockReferenced } from '../../attachments/index.ts';
import { setPolicies } from '../../user-topics/index.ts';
import { resolveMentions, type ResolvedMentions } from './mentions.ts';
import { type PreparedMessage, hiddenSenderEvents, pendingMessage } from './pending-message.ts';
import type { SendPlan } from './plan.ts';
import { webhooksOf } from './webhooks.ts';

export interface SendResult extends ActionResult {
  /** The visibility policy that the topic got for the sender by the message; null if it stayed as it was. */
  newPolicy: number | null;
}

/** A message with what its text names. */
interface ResolvedMessage {
  rendered: Rendered;
  mentions: ResolvedMentions;
  /** The uploads that it links to, which are locked. */
  files: LockedAttachments;
}

/**
 * Looks up what the text of a message names, as far as its sender may access it, and locks the uploads that it links to.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered, or a user group that the sender may not mention
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the sender may not use
 */
export async function resolveMessage(tx: Tx, { plan, parsed }: PreparedMessage): Promise<ResolvedMessage> {
  const { actor } = plan;
  const { references } = parsed;
  const files = await lockReferenced(tx, actor, references.uploads);
  const resolved = parsed.isSelfContained
    ? model.texts.emptyText
    : await model.texts.resolveTextReferences(
        tx,
        { actor, seesAll: false },
        await model.permissions.getRules(tx, actor.realm.id),
        references,
        files.rows,
      );
  const rendered = model.texts.renderParsedText(parsed, resolved);
  return { rendered, files, mentions: await resolveMentions(tx, plan, rendered, resolved.people) };
}

/**
 * Sends a message with all that follows from it, as it was prepared or, if the rules have changed since, as it is prepared
 * anew.
 *
 * @throws BAD_REQUEST for a user group that the sender may not mention
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the sender may not use
 */
export async function send(
  tx: Tx,
  {
    prepared,
    prepareAnew,
  }: { prepared: PreparedMessage; readonly prepareAnew: (tx: Tx) => Promise<PreparedMessage> },
): Promise<SendResult> {
  // What the sender may mention is decided here, before the log would refuse the plan.
  const { version } = await model.permissions.getRules(tx, prepared.plan.actor.realm.id);
  return await sendPrepared(tx, prepared.plan.rulesVersion === version ? prepared : await prepareAnew(tx));
}
send.actionName = 'messages.send' as const;

/**
 * Sends a message under its plan, with all that follows from it: mentions, uploads, and topics that become more visible to their sender
 * and to users it mentions. Most messages do not need this; see plainMessage.
 *
 * @throws BAD_REQUEST for a user group that the sender may not mention
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the sender may not use
 */
export async function sendPrepared(tx: Tx, prepared: PreparedMessage): Promise<SendResult> {
  const { plan, text } = prepared;
  const { rendered, mentions, files } = await resolveMessage(tx, prepared);
  const attachments = files.rows.map(({ id }) => id);
  const webhooks = await webhooksOf(tx, plan, mentions);
  const message = pendingMessage(plan, text, rendered, { ...mentions, attachments, webhooks });
  const introduction = await introductionOf(tx, plan);
  return {
    events: [
      ...introduction,
      ...(await raiseVisibility(tx, plan, mentions)),
      message,
      ...hiddenSenderEvents(plan, message),
      ...files.events,
    ],
    // Plans for sending remember which guests may not know the sender. Who becomes a guest at this moment, and may not see
    // the others yet, is looked at again.
    changesRules: plan.isIntroduction,
    newPolicy: plan.newPolicy,
    jobs: webhooks.map(({ id }) => ({ name: 'deliver-webhook', id, realmId: plan.actor.realm.id })),
  };
}

async function introductionOf(tx: Tx, { actor, address, isIntroduction }: SendPlan): Promise<PendingEvent[]> {
  if (!isIntroduction || !address.people) return [];
  return await model.accessChanges.newConversationAccessEvents(
    tx,
    actor.realm,
    await model.permissions.getRules(tx, actor.realm.id),
    address.people,
  );
}

/** Raises the topic's visibility for its sender, and for mentioned users who follow where they are mentioned. */
async function raiseVisibility(
  tx: Tx,
  { address, newPolicy, actor }: SendPlan,
  { mentioned }: ResolvedMentions,
): Promise<PendingEvent[]> {
  const { topicId, channelId, subject } = address;
  if (topicId === null || channelId === null) return [];
  const topic = { id: topicId, channelId, name: subject };
  const followers = mentioned.filter(({ id, follows }) => follows && id !== actor.id).map(({ id }) => id);
  if (newPolicy === null && followers.length === 0) return [];
  const current = await model.userTopics.findTopicPolicies(tx, actor.realm.id, topicId, followers);
  const changed = followers.filter((id) => current.get(id) !== model.userTopics.topicPolicies.followed);
  return [
    ...(newPolicy === null
      ? []
      : await setPolicies(tx, actor.realm, topic, new Map([[actor.id, newPolicy]]))),
    ...(await setPolicies(
      tx,
      actor.realm,
      topic,
      new Map(changed.map((id) => [id, model.userTopics.topicPolicies.followed])),
    )),
  ];
}

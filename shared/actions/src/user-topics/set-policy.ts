import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { ensureTopic } from '../topics/index.ts';
import { setPolicies } from './set-policies.ts';

export interface PolicyChange {
  /** Id or name. */
  channel: number | string;
  topic: string;
  policy: number;
}

/**
 * Sets the actor's visibility policy for a topic, whether or not there are messages in it. Setting it again changes
 * nothing.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read, or an invalid topic name
 */
export async function setPolicy(
  tx: Tx,
  { actor, channel, topic: name, policy }: { actor: Actor } & PolicyChange,
): Promise<ActionResult> {
  const access = await model.access.getReadableChannel(tx, actor, channel);
  const topic = await ensureTopic(tx, access.channel, model.messages.parseTopicName(name));
  const current =
    (await model.userTopics.findTopicPolicies(tx, actor.realm.id, topic.id, [actor.id])).get(actor.id) ??
    model.userTopics.topicPolicies.none;
  if (current === policy) return { events: [] };
  return {
    events: await setPolicies(tx, actor.realm, topic, new Map([[actor.id, policy]])),
    changesRules: true,
  };
}
setPolicy.actionName = 'userTopics.setPolicy' as const;

/**
 * Mutes a topic of a channel that the actor is subscribed to.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read or is not subscribed to, or an invalid topic name
 */
export async function mute(
  tx: Tx,
  { actor, channel, topic }: { actor: Actor } & Omit<PolicyChange, 'policy'>,
): Promise<ActionResult> {
  assertSubscribed(await model.access.getReadableChannel(tx, actor, channel));
  return await setPolicy(tx, { actor, channel, topic, policy: model.userTopics.topicPolicies.muted });
}
mute.actionName = 'userTopics.mute' as const;

/**
 * Removes the actor's policy for a topic of a channel that they are subscribed to, if it is muted; any other policy
 * stays.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read or is not subscribed to, or an invalid topic name
 */
export async function unmute(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & Omit<PolicyChange, 'policy'>,
): Promise<ActionResult> {
  const find = async () => {
    const access = await model.access.getReadableChannel(tx, actor, input.channel);
    const topic = await ensureTopic(tx, access.channel, model.messages.parseTopicName(input.topic));
    return { access, topic };
  };
  // Topics that the actor may not read are refused like topics that are not muted.
  const { access, topic } = await find().catch((error: unknown) => {
    if (error instanceof ApiError) throw new ApiError('BAD_REQUEST', 'You have not muted this topic.');
    throw error;
  });
  assertSubscribed(access);
  const policies = await model.userTopics.findTopicPolicies(tx, actor.realm.id, topic.id, [actor.id]);
  if (policies.get(actor.id) !== model.userTopics.topicPolicies.muted) return { events: [] };
  return await setPolicy(tx, { actor, ...input, policy: model.userTopics.topicPolicies.none });
}
unmute.actionName = 'userTopics.unmute' as const;

function assertSubscribed({ isSubscribed }: model.access.ChannelAccess): void {
  if (!isSubscribed) throw new ApiError('BAD_REQUEST', 'You are not subscribed to this channel.');
}

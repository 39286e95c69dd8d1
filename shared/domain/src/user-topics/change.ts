import type { Tx } from '@parley/db';
import { type ActionResult, ApiError } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { getReadableChannel } from '../channels/find.ts';
import { findPolicies, getTopic } from './find.ts';
import { policies } from './policies.ts';
import { setPolicies } from './set.ts';

export interface PolicyChange {
  /** Id or name. */
  channel: number | string;
  topic: string;
  policy: number;
}

/** Sets how visible a topic is to the actor, whether or not there are messages in it. Setting it again changes nothing. */
export async function change(
  tx: Tx,
  actor: Actor,
  { channel, topic: name, policy }: PolicyChange,
): Promise<ActionResult> {
  const access = await getReadableChannel(tx, actor, channel);
  const topic = await getTopic(tx, access.channel.id, name);
  const current = (await findPolicies(tx, topic.id, [actor.id])).get(actor.id) ?? policies.none;
  if (current === policy) return { events: [], keepsRules: true };
  return { events: await setPolicies(tx, topic, new Map([[actor.id, policy]])) };
}

/** The older way: mutes, or makes a muted topic as visible as its channel. */
export async function mute(tx: Tx, actor: Actor, input: Omit<PolicyChange, 'policy'>): Promise<ActionResult> {
  return await change(tx, actor, { ...input, policy: policies.muted });
}

export async function unmute(
  tx: Tx,
  actor: Actor,
  input: Omit<PolicyChange, 'policy'>,
): Promise<ActionResult> {
  const isMuted = async () => {
    const access = await getReadableChannel(tx, actor, input.channel);
    const topic = await getTopic(tx, access.channel.id, input.topic);
    return (await findPolicies(tx, topic.id, [actor.id])).get(actor.id) === policies.muted;
  };
  // What is out of reach cannot be muted either, and looks the same as what is not.
  const found = await isMuted().catch((error: unknown) => {
    if (error instanceof ApiError) throw new ApiError('BAD_REQUEST', 'Topic is not muted');
    throw error;
  });
  if (!found) return { events: [], keepsRules: true };
  return await change(tx, actor, { ...input, policy: policies.none });
}

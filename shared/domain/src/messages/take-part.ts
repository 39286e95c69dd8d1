import type { Tx } from '@parley/db';
import type { Draft } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { setPolicies } from '../user-topics/set.ts';
import type { MessageAccess } from './access.ts';
import { autoPolicy } from './auto-policy.ts';

/** Whoever does something with a message takes part in its topic, which may become more visible to them. */
export async function takePart(tx: Tx, actor: Actor, { channel, topic }: MessageAccess): Promise<Draft[]> {
  if (!channel || !topic) return [];
  const place = { conversationId: channel.channel.conversationId, topicId: topic.id };
  const policy = await autoPolicy(tx, actor, place, 'participate');
  return policy === null ? [] : await setPolicies(tx, topic, new Map([[actor.id, policy]]));
}

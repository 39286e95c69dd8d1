import { type Tx, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

import { type Actor, isBot } from '../actor.ts';
import { findPolicies } from '../user-topics/find.ts';
import { policies } from '../user-topics/policies.ts';

/** What one does in a topic, least first; whoever starts it also sends, and whoever sends participates. */
const deeds = ['participate', 'send', 'start'] as const;
export type Deed = (typeof deeds)[number];

interface Place {
  conversationId: number;
  topicId: number;
}

/**
 * The visibility that a topic gets by what its user does there, by the user's own settings (1 participate, 2 send, 3
 * start, 4 never), or null where it stays. It only ever rises.
 */
export async function autoPolicy(tx: Tx, actor: Actor, place: Place, deed: Deed): Promise<number | null> {
  if (isBot(actor)) return null;
  const isEnough = (setting: number) => setting <= deeds.indexOf(deed) + 1;
  const follows = isEnough(actor.settings.automatically_follow_topics_policy);
  const unmutes = isEnough(actor.settings.automatically_unmute_topics_in_muted_streams_policy);
  if (!follows && !unmutes) return null;
  const current = (await findPolicies(tx, place.topicId, [actor.id])).get(actor.id) ?? policies.none;
  if (follows) return current === policies.followed ? null : policies.followed;
  if (current === policies.followed || current === policies.unmuted) return null;
  return (await isMuted(tx, actor.id, place.conversationId)) ? policies.unmuted : null;
}

async function isMuted(tx: Tx, userId: number, conversationId: number): Promise<boolean> {
  const { conversationMembers } = tables;
  const these = and(
    eq(conversationMembers.conversationId, conversationId),
    eq(conversationMembers.userId, userId),
  );
  const [member] = await tx
    .select({ isMuted: conversationMembers.isMuted })
    .from(conversationMembers)
    .where(these);
  return member?.isMuted ?? false;
}

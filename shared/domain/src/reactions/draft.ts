import type { Tx } from '@parley/db';
import { type Draft, events } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import type { MessageAccess } from '../messages/access.ts';
import { hearersOf } from '../messages/hearers.ts';
import { publicEmail } from '../users/present.ts';
import { type ReactionRow, presentReaction } from './find.ts';

/** Tells those who hear of the message that the actor's reaction came or went. The caller holds the message. */
export async function draftReaction(
  tx: Tx,
  actor: Actor,
  op: 'add' | 'remove',
  { message, channel, people }: MessageAccess,
  row: ReactionRow,
): Promise<Draft> {
  const event = events.reaction[op]({
    message_id: message.id,
    ...presentReaction(row),
    user: { user_id: actor.id, email: publicEmail(actor, actor.realm.host), full_name: actor.fullName },
  });
  return { event, ...(await hearersOf(tx, { channel: channel?.channel ?? null, people }, [message.id])) };
}

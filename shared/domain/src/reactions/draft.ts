import type { Tx } from '@parley/db';
import { type Draft, events, unknownUser } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import type { MessageAccess } from '../messages/access.ts';
import { hearersOf } from '../messages/hearers.ts';
import { getRules } from '../realms/rules.ts';
import { publicEmail } from '../users/present.ts';
import { listBlind } from '../users/seen.ts';
import type { Audience } from '../users/sight.ts';
import { type ReactionRow, presentReaction } from './find.ts';

/** Tells those who hear of the message that the actor's reaction came or went. The caller holds the message. */
export async function draftsOfReaction(
  tx: Tx,
  actor: Actor,
  op: 'add' | 'remove',
  { message, channel, people }: MessageAccess,
  row: ReactionRow,
): Promise<Draft[]> {
  const rules = await getRules(tx, actor.realm.id);
  const { host } = actor.realm;
  const draft = (who: { email: string; full_name: string }, audience: Audience): Draft => ({
    event: events.reaction[op]({
      message_id: message.id,
      ...presentReaction(row),
      user: { user_id: actor.id, ...who },
    }),
    ...audience,
  });
  const hearers = await hearersOf(tx, { channel: channel?.channel ?? null, people }, [message.id]);
  const known = { email: publicEmail(actor, host), full_name: actor.fullName };
  const here = channel?.channel.conversationId;
  const isHearing = (id: number) =>
    hearers.users?.includes(id) || (here !== undefined && hearers.conversations?.includes(here));
  const blind = here === undefined ? [] : (await listBlind(tx, rules, here, actor)).filter(isHearing);
  if (blind.length === 0) return [draft(known, hearers)];
  const unknown = { email: unknownUser.email(actor.id, host), full_name: unknownUser.full_name };
  return [
    draft(known, { ...hearers, except: [...(hearers.except ?? []), ...blind] }),
    draft(unknown, { users: blind }),
  ];
}

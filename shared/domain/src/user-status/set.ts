import { type Tx, tables } from '@parley/db';
import { type ActionResult, type Draft, type UserStatus, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { getRules } from '../realms/rules.ts';
import { audienceOf, draft } from '../users/sight.ts';
import type { StatusChange } from './read.ts';

const { userStatuses } = tables;

type Home = Pick<Realm, 'id' | 'membersConversationId'>;
type Person = Parameters<typeof audienceOf>[2];

/** Changes what a user says about themselves. What stays as it was is told to nobody. */
export async function setStatus(
  tx: Tx,
  home: Home,
  user: Person,
  { text, emoji, away }: StatusChange,
): Promise<ActionResult & { events: Draft[] }> {
  const mine = eq(userStatuses.userId, user.id);
  await tx.insert(userStatuses).values({ userId: user.id }).onConflictDoNothing();
  const [before] = await tx.select().from(userStatuses).where(mine).for('no key update');
  if (!before) throw new Error(`The status of user ${user.id} was just made and is not there.`);
  const isNewEmoji =
    emoji !== undefined &&
    (emoji.name !== before.emojiName ||
      emoji.code !== before.emojiCode ||
      emoji.type !== before.reactionType);
  const change: UserStatus = {
    ...(away !== undefined && away !== before.away && { away }),
    ...(text !== undefined && text !== before.text && { status_text: text }),
    ...(isNewEmoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type }),
  };
  if (Object.keys(change).length === 0) return { events: [], keepsRules: true };
  await tx
    .update(userStatuses)
    .set({
      away: away ?? before.away,
      text: text ?? before.text,
      ...(emoji && { emojiName: emoji.name, emojiCode: emoji.code, reactionType: emoji.type }),
    })
    .where(mine);
  const audience = await audienceOf(tx, home, user, await getRules(tx, home.id));
  return {
    events: [draft(events.userStatus({ user_id: user.id, ...change }), audience)],
    keepsRules: true,
  };
}

import { tables, type Tx } from '@parley/db';
import { type Actor, assertAdministrator, assertHuman, getActiveHuman } from '@parley/model';
import { type Realm, userAudience, getRules, toAudience } from '@parley/model';
import { type ActionResult, type PendingEvent, type UserStatus, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type StatusChange, type StatusRequest, parseStatus } from './parse.ts';

const { userStatuses } = tables;

type AudienceRealm = Pick<Realm, 'id' | 'membersConversationId'>;

type Person = Parameters<typeof userAudience>[2];

/**
 * Changes what the actor says about themselves.
 *
 * @throws BAD_REQUEST for a bot, for nothing to change, a text that is too long or an emoji that is none
 */
export async function set(tx: Tx, actor: Actor, request: StatusRequest): Promise<ActionResult> {
  assertHuman(actor);
  return await writeStatus(tx, actor.realm, actor, await parseStatus(tx, actor.realm.id, request));
}

/**
 * Changes what somebody else says about themselves.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST as for one's own, and for a user who is not there or a bot
 */
export async function setForUser(
  tx: Tx,
  actor: Actor,
  userId: number,
  request: StatusRequest,
): Promise<ActionResult> {
  assertAdministrator(actor);
  const user = await getActiveHuman(tx, actor, userId);
  return await writeStatus(tx, actor.realm, user, await parseStatus(tx, actor.realm.id, request));
}

/** Changes the status of a user. What stays as it was is told to nobody. */
export async function writeStatus(
  tx: Tx,
  home: AudienceRealm,
  user: Person,
  { text, emoji, away }: StatusChange,
): Promise<ActionResult & { events: PendingEvent[] }> {
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
  const audience = await userAudience(tx, home, user, await getRules(tx, home.id));
  return {
    events: [toAudience(events.userStatus({ user_id: user.id, ...change }), audience)],
    keepsRules: true,
  };
}

import { tables, type Tx } from '@parley/db';
import { type Actor, type Realm, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, type UserStatus, events } from '@parley/protocol';

import { type StatusChange, type StatusRequest, parseRequest } from './parse.ts';

const { userStatuses } = tables;

type Person = Parameters<typeof model.access.userAudience>[2];

/**
 * Changes the actor's status.
 *
 * @throws BAD_REQUEST for a bot, a request that changes nothing, a text that is too long, or an emoji that does not
 * exist
 */
export async function set(
  tx: Tx,
  { actor, request }: { actor: Actor; request: StatusRequest },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  return await writeStatus(tx, actor.realm, actor, await parseRequest(tx, actor.realm.id, request));
}
set.actionName = 'userStatus.set' as const;

/**
 * Changes somebody else's status.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a user who does not exist, is deactivated or is a bot; for a request that changes nothing, a
 * text that is too long, or an emoji that does not exist
 */
export async function setForUser(
  tx: Tx,
  { actor, userId, request }: { actor: Actor; userId: number; request: StatusRequest },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const user = await model.userStatus.getActiveHuman(tx, actor, userId);
  return await writeStatus(tx, actor.realm, user, await parseRequest(tx, actor.realm.id, request));
}
setForUser.actionName = 'userStatus.setForUser' as const;

/** Writes a user's status. The event has only the fields that differ from before; without any there is no event. */
export async function writeStatus(
  tx: Tx,
  realm: Pick<Realm, 'id' | 'membersConversationId'>,
  user: Person,
  { text, emoji, away }: StatusChange,
): Promise<ActionResult & { events: PendingEvent[] }> {
  const ofUser = isOfUser(userStatuses, { id: user.id, realm });
  await tx.insert(userStatuses).values({ realmId: realm.id, userId: user.id }).onConflictDoNothing();
  const [before] = await tx.select().from(userStatuses).where(ofUser).for('no key update');
  if (!before) throw new Error(`The status of user ${user.id} was just created and does not exist.`);
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
  if (Object.keys(change).length === 0) return { events: [] };
  await tx
    .update(userStatuses)
    .set({
      away: away ?? before.away,
      text: text ?? before.text,
      ...(emoji && { emojiName: emoji.name, emojiCode: emoji.code, reactionType: emoji.type }),
    })
    .where(ofUser);
  const audience = await model.access.userAudience(
    tx,
    realm,
    user,
    await model.permissions.getRules(tx, realm.id),
  );
  return {
    events: [model.access.toAudience(events.userStatus({ user_id: user.id, ...change }), audience)],
  };
}

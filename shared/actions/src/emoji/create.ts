import { tables, type Tx } from '@parley/db';
import { type Actor, isAdministrator } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, limits, to } from '@parley/protocol';
import { and, count, eq } from 'drizzle-orm';

import { cancelDeletion } from '../files/index.ts';
import { lockRealm } from '../lock.ts';

const { realmEmoji } = tables;

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/**
 * Returns the form in which a custom emoji's name is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long, or has characters that emoji's names do not have
 */
export function parseEmojiName(raw: string): string {
  const name = raw.trim().replaceAll(' ', '_');
  if (name === '') throw badRequest('Enter a name for the emoji.');
  if (name.length > limits.emojiLength) {
    throw badRequest(`The name of an emoji can have at most ${limits.emojiLength} characters.`);
  }
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw badRequest('Use only lowercase letters (a to z), digits, spaces, hyphens and underscores.');
  }
  if (!/[a-z0-9]$/.test(name)) throw badRequest('The name of an emoji must end with a letter or a digit.');
  return name;
}

/**
 * Refuses an actor who may not add a custom emoji of this name.
 *
 * @throws BAD_REQUEST for bots, without the permission, for a name that is taken, for a name of Unicode's emoji unless
 * the actor is an administrator, and for too many
 */
export async function assertMayCreate(tx: Tx, actor: Actor, name: string): Promise<void> {
  model.permissions.assertHuman(actor);
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  if (!rules.may(actor, 'can_add_custom_emoji_group'))
    throw badRequest('You do not have permission to do this.');
  const inRealm = eq(realmEmoji.realmId, actor.realm.id);
  const active = and(eq(realmEmoji.name, name), eq(realmEmoji.isDeactivated, false));
  const [existing] = await tx.select({ id: realmEmoji.id }).from(realmEmoji).where(and(inRealm, active));
  if (existing) throw badRequest('There is already a custom emoji with this name.');
  const isDefault =
    name === model.emoji.extraEmoji.name || model.emoji.findUnicodeEmojiCode(name) !== undefined;
  if (isDefault && !isAdministrator(actor)) {
    throw badRequest('Only administrators can replace a standard emoji.');
  }
  const [total] = await tx.select({ count: count() }).from(realmEmoji).where(inRealm);
  if ((total?.count ?? 0) >= limits.emojiPerRealm) {
    throw badRequest(`An organization can have at most ${limits.emojiPerRealm} custom emoji.`);
  }
}

export interface NewEmoji {
  name: string;
  /** The folder in the file store that holds its pictures. */
  folder: string;
  /** The ends of the addresses of the picture, and of the still one if it is animated. */
  path: string;
  stillPath: string | null;
}

/**
 * Adds a custom emoji, whose pictures are in the file store.
 *
 * @throws BAD_REQUEST like assertMayCreate
 */
export async function create(
  tx: Tx,
  { actor, folder, ...emoji }: { actor: Actor } & NewEmoji,
): Promise<ActionResult> {
  const realmId = actor.realm.id;
  // The event lists all custom emoji, so changes of them take turns.
  await lockRealm(tx, realmId);
  await assertMayCreate(tx, actor, emoji.name);
  await tx.insert(realmEmoji).values({ ...emoji, realmId, authorId: actor.id });
  await cancelDeletion(tx, [model.files.emojiPlace(realmId, folder).folder]);
  const realm_emoji = await model.emoji.emojiState(tx, realmId);
  // Emoji are among the rules: plans for sending remember how texts are rendered.
  return { events: [to.everyone(events.realmEmoji.update({ realm_emoji }))], changesRules: true };
}
create.actionName = 'emoji.create' as const;

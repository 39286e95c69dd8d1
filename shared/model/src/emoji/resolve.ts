import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, desc, eq } from 'drizzle-orm';

import { isId } from '../ids.ts';
import { type ReactionType, extraEmoji, findReactionType } from './extra.ts';
import { findUnicodeEmojiCode, isUnicodeEmojiCode } from './unicode.ts';

const { realmEmoji } = tables;

/** The parameters by which a client names an emoji. */
export interface EmojiRequest {
  emoji_name: string;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
}

export interface Emoji {
  name: string;
  code: string;
  type: ReactionType;
}

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

const noSuchEmoji = (name: string) => badRequest(`There is no emoji called '${name}'.`);

const custom = (name: string, id: number): Emoji => ({ name, code: String(id), type: 'realm_emoji' });

/** The organization's custom emoji come first, then the server's, then Unicode. */
async function findEmoji(tx: Tx, realmId: number, name: string): Promise<Emoji | undefined> {
  const active = and(
    eq(realmEmoji.realmId, realmId),
    eq(realmEmoji.name, name),
    eq(realmEmoji.isDeactivated, false),
  );
  const [row] = await tx.select({ id: realmEmoji.id }).from(realmEmoji).where(active);
  if (row) return custom(name, row.id);
  if (name === extraEmoji.name) return extraEmoji;
  const code = findUnicodeEmojiCode(name);
  return code === undefined ? undefined : { name, code, type: 'unicode_emoji' };
}

/**
 * Returns all emoji that a name stands for or, being deactivated, has stood for: what it stands for now comes first.
 *
 * @throws BAD_REQUEST if there never was one of this name
 */
export async function listEmojiCalled(tx: Tx, realmId: number, name: string): Promise<Emoji[]> {
  const former = await tx
    .select({ id: realmEmoji.id })
    .from(realmEmoji)
    .where(and(eq(realmEmoji.realmId, realmId), eq(realmEmoji.name, name), realmEmoji.isDeactivated))
    .orderBy(desc(realmEmoji.id));
  const current = await findEmoji(tx, realmId, name);
  if (!current && former.length === 0) throw noSuchEmoji(name);
  return [...(current ? [current] : []), ...former.map(({ id }) => custom(name, id))];
}

/**
 * Returns the emoji that a client names. Omitted parameters follow from the name.
 *
 * @throws BAD_REQUEST if name, code and type do not belong together
 */
export async function resolveEmoji(tx: Tx, realmId: number, request: EmojiRequest): Promise<Emoji> {
  const named = await findNamedEmoji(tx, realmId, request);
  return await assertUsableEmoji(tx, realmId, completeEmoji(request, named));
}

/** Finds what the name in a request stands for now. A request that has all parameters needs none. */
export async function findNamedEmoji(
  tx: Tx,
  realmId: number,
  { emoji_name: name, emoji_code: code, reaction_type: type }: EmojiRequest,
): Promise<Emoji | undefined> {
  return code !== undefined && type !== undefined ? undefined : await findEmoji(tx, realmId, name);
}

/**
 * Fills in the parameters that a client omitted, from what the name stands for. It does not check that name, code and
 * type belong together: see assertUsableEmoji.
 *
 * @throws BAD_REQUEST for an unknown type, and for an unknown name if a parameter is missing
 */
export function completeEmoji(request: EmojiRequest, named: Emoji | undefined): Emoji {
  const { emoji_name: name, emoji_code: code, reaction_type } = request;
  const type = reaction_type === undefined ? undefined : getReactionType(reaction_type);
  if (code !== undefined && type !== undefined) return { name, code, type };
  if (!named) throw noSuchEmoji(name);
  return { name, code: code ?? named.code, type: type ?? named.type };
}

/** @throws BAD_REQUEST for an unknown type */
export function getReactionType(raw: string): ReactionType {
  const type = findReactionType(raw);
  if (!type) throw badRequest('There is no such type of emoji.');
  return type;
}

/** @throws BAD_REQUEST if name, code and type do not belong together, or the emoji is deactivated */
export async function assertUsableEmoji(tx: Tx, realmId: number, emoji: Emoji): Promise<Emoji> {
  const { name, code, type } = emoji;
  if (type === 'realm_emoji') {
    const custom = await findCustom(tx, realmId, code);
    if (!custom) throw badRequest('This custom emoji does not exist.');
    if (custom.name !== name) throw badRequest('This custom emoji has another name.');
    if (custom.isDeactivated) throw badRequest('This custom emoji is deactivated.');
  } else if (type === 'svc_extra_emoji') {
    if (code !== extraEmoji.code) throw badRequest('There is no emoji with this code.');
    if (name !== extraEmoji.name) throw badRequest('This emoji has another name.');
  } else {
    if (!isUnicodeEmojiCode(code)) throw badRequest('There is no emoji with this code.');
    if (findUnicodeEmojiCode(name) !== code) throw badRequest('This emoji has another name.');
  }
  return emoji;
}

async function findCustom(tx: Tx, realmId: number, code: string) {
  const id = /^[1-9]\d{0,9}$/.test(code) ? Number(code) : -1;
  if (!isId(id)) return undefined;
  const [custom] = await tx
    .select({ name: realmEmoji.name, isDeactivated: realmEmoji.isDeactivated })
    .from(realmEmoji)
    .where(and(eq(realmEmoji.realmId, realmId), eq(realmEmoji.id, id)));
  return custom;
}

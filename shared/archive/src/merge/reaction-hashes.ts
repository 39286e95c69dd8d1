import type { Sql } from '@parley/db';

import type { Numbering } from '../read/numbering.ts';
import type { Row } from '../read/row.ts';
import type { Writing } from '../read/writing.ts';
import type { Reaction } from './growth.ts';

/** The reactions that a message has here. */
export interface KnownReactions {
  id: number;
  /** Whether it has those with which it came, or with which it last followed its source. */
  isAsItCame: boolean;
  reactions: Reaction[];
}

/** Returns whether a reaction of an archive is with an emoji that there is here. */
export const hasEmoji = (numbering: Numbering, row: Row): boolean =>
  row['reaction_type'] !== 'realm_emoji' ||
  numbering.of('realm_emoji', Number(row['emoji_code'])) !== undefined;

/** Records the reactions of imported messages, as they came with an archive. */
export async function recordReactions(tx: Writing, realmId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update imported_messages i set reactions_hash = r.hash from (
      select message_id, bit_xor(reaction_hash(user_id, reaction_type, emoji_code)) as hash from reactions
      where realm_id = ${realmId} and message_id = any(${[...new Set(ids)]}::bigint[]) group by message_id
    ) r where i.realm_id = ${realmId} and i.message_id = r.message_id`;
}

/** Returns the hash of each of some reactions. */
export async function hashesOf(sql: Sql, reactions: readonly Reaction[]): Promise<bigint[]> {
  const rows = await sql<{ hash: string }[]>`
    select reaction_hash(user_id, type, code)::text as hash from unnest(
      ${reactions.map(({ userId }) => userId)}::int[], ${reactions.map(({ emoji }) => emoji.type)}::text[],
      ${reactions.map(({ emoji }) => emoji.code)}::text[]
    ) with ordinality t (user_id, type, code, n) order by n`;
  return rows.map(({ hash }) => BigInt(hash));
}

/**
 * Returns those of some messages whose reactions at their source are others than when they came. Where these were not recorded,
 * those that a message has stand for them.
 */
export async function listChanged(
  sql: Sql,
  realmId: number,
  messages: readonly { id: number; hash: bigint }[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select n.id from unnest(
      ${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ hash }) => String(hash))}::bigint[]
    ) n (id, hash)
    join imported_messages i on i.realm_id = ${realmId} and i.message_id = n.id
    join messages m on m.realm_id = i.realm_id and m.id = i.message_id
    where n.hash <> coalesce(i.reactions_hash, (
      select coalesce(bit_xor(reaction_hash(r.user_id, r.reaction_type, r.emoji_code)), 0)
      from reactions r where r.realm_id = ${realmId} and r.message_id = i.message_id
    )) order by n.id`;
  return rows.map(({ id }) => Number(id));
}

/** Returns the reactions that messages have here. */
export async function findReactions(
  sql: Sql,
  realmId: number,
  ids: readonly number[],
): Promise<KnownReactions[]> {
  return await sql<KnownReactions[]>`
    select i.message_id::float8 as id, coalesce(i.reactions_hash = r.hash, false) as "isAsItCame", r.reactions
    from imported_messages i cross join lateral (
      select coalesce(bit_xor(reaction_hash(user_id, reaction_type, emoji_code)), 0) as hash,
        coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'emoji', jsonb_build_object(
          'name', emoji_name, 'code', emoji_code, 'type', reaction_type
        )) order by id), '[]') as reactions
      from reactions where realm_id = ${realmId} and message_id = i.message_id
    ) r where i.realm_id = ${realmId} and i.message_id = any(${[...ids]}::bigint[]) order by i.message_id`;
}

/** Records what the source of a message has now. */
export async function recordHash(
  sql: Sql,
  realmId: number,
  { id, hash }: { id: number; hash: bigint },
): Promise<void> {
  await sql`
    update imported_messages set reactions_hash = ${String(hash)}::bigint
    where realm_id = ${realmId} and message_id = ${id}`;
}

import type { Tx } from '@parley/db';
import { decodeMembers, encodeMembers } from '@parley/db';
import type { MembershipChange } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { AudienceChange } from './append.ts';

/** Smaller audiences are written whole: that takes no more room. */
const wholeMax = 500;
/** The most users who differ from the base. Another one makes a new base. */
const changesMax = 500;

/**
 * Writes the audience that each conversation has after a change of its members: as changes of a base, so that it costs what
 * changes, and now and then as a base. The caller has locked the conversation's row, so two changes of one conversation
 * cannot both start from the same members.
 */
export async function writeAudiences(
  tx: Tx,
  realmId: number,
  changes: MembershipChange[],
): Promise<AudienceChange[]> {
  const moves: AudienceChange[] = [];
  for (const change of changes) {
    const { conversationId, joined, left, keepsSubscriptions = false } = change;
    const audience = await writeAudience(tx, realmId, change);
    moves.push({ conversation: conversationId, audience, joined, left, keepsSubscriptions });
  }
  return moves;
}

interface Current extends Record<string, unknown> {
  id: number | null;
  base_id: number | null;
  joined: number[] | null;
  departed: number[] | null;
  size: number | null;
  /** Whether nodes of the version before may run, which read whole audiences alone. */
  is_shared: boolean;
}

async function writeAudience(tx: Tx, realmId: number, change: MembershipChange): Promise<number> {
  const [current] = await tx.execute<Current>(sql`
    select a.id, a.base_id, a.joined, a.departed, a.size, to_regclass('message_ids') is not null as is_shared
    from conversation_heads h left join audiences a on a.realm_id = h.realm_id and a.id = h.audience_id
    where h.realm_id = ${realmId} and h.conversation_id = ${change.conversationId}`);
  // Whoever joins and is there, and whoever leaves and is not, stays in both lists: that changes nothing.
  const joined = new Set(current?.joined);
  const departed = new Set(current?.departed);
  for (const id of change.joined) {
    joined.add(id);
    departed.delete(id);
  }
  for (const id of change.left) {
    joined.delete(id);
    departed.add(id);
  }
  const size = current?.size ?? 0;
  const isWhole = !current?.id || current.is_shared || size < wholeMax;
  if (isWhole || joined.size + departed.size > changesMax) return await writeWhole(tx, realmId, change);
  const [audience] = await tx.execute<{ id: number }>(sql`
    insert into audiences (realm_id, base_id, joined, departed, size)
    values (
      ${realmId}, ${current.base_id ?? current.id}, ${intArray(joined)}, ${intArray(departed)},
      ${size + (await countChange(tx, realmId, change))}
    ) returning id`);
  return idOf(audience);
}

/** By how many members the audience grows. Whoever is in it receives what comes next. */
async function countChange(
  tx: Tx,
  realmId: number,
  { conversationId, joined, left }: MembershipChange,
): Promise<number> {
  const [row] = await tx.execute<{ joined: number; departed: number }>(sql`
    select count(*) filter (where user_id = any(${intArray(joined)}))::int as joined,
      count(*) filter (where user_id = any(${intArray(left)}))::int as departed
    from conversation_members
    where realm_id = ${realmId} and conversation_id = ${conversationId}
      and user_id = any(${intArray([...joined, ...left])}) and upper_inf(received)`);
  return new Set(joined).size - (row?.joined ?? 0) - (row?.departed ?? 0);
}

async function writeWhole(
  tx: Tx,
  realmId: number,
  { conversationId, joined, left }: MembershipChange,
): Promise<number> {
  const members = new Set(await currentMembers(tx, realmId, conversationId));
  for (const id of joined) members.add(id);
  for (const id of left) members.delete(id);
  const [audience] = await tx.execute<{ id: number }>(
    sql`insert into audiences (realm_id, members, size)
      values (${realmId}, ${encodeMembers(members)}, ${members.size}) returning id`,
  );
  return idOf(audience);
}

interface Stored extends Record<string, unknown> {
  members: Uint8Array | null;
  joined: number[] | null;
  departed: number[] | null;
}

async function currentMembers(tx: Tx, realmId: number, conversationId: number): Promise<Iterable<number>> {
  const [stored] = await tx.execute<Stored>(sql`
    select coalesce(a.members, b.members) as members, a.joined, a.departed
    from conversation_heads h join audiences a on a.realm_id = h.realm_id and a.id = h.audience_id
    left join audiences b on b.realm_id = a.realm_id and b.id = a.base_id
    where h.realm_id = ${realmId} and h.conversation_id = ${conversationId}`);
  return stored?.members ? decodeMembers({ ...stored, members: stored.members }) : [];
}

const intArray = (ids: Iterable<number>) => sql`${`{${[...ids].join(',')}}`}::int[]`;

function idOf(audience: { id: number } | undefined): number {
  if (!audience) throw new Error('An insert returned no row.');
  return Number(audience.id);
}

import type { Tx } from '@parley/db';
import { decodeMembers, encodeMembers, tables } from '@parley/db';
import type { MembershipChange } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

import type { AudienceChange } from './append.ts';

/**
 * Writes the audience that each conversation has after a change of its members. The caller has locked the conversation's
 * row, so two changes of one conversation cannot both start from the same members.
 */
export async function writeAudiences(
  tx: Tx,
  realmId: number,
  changes: MembershipChange[],
): Promise<AudienceChange[]> {
  const moves: AudienceChange[] = [];
  for (const { conversationId, joined, left, keepsSubscriptions = false } of changes) {
    const members = new Set(await currentMembers(tx, conversationId));
    for (const id of joined) members.add(id);
    for (const id of left) members.delete(id);
    const [audience] = await tx.execute<{ id: number }>(
      sql`insert into audiences (realm_id, members, size)
        values (${realmId}, ${encodeMembers(members)}, ${members.size}) returning id`,
    );
    if (!audience) throw new Error('An insert returned no row.');
    moves.push({
      conversation: conversationId,
      audience: Number(audience.id),
      joined,
      left,
      keepsSubscriptions,
    });
  }
  return moves;
}

async function currentMembers(tx: Tx, conversationId: number): Promise<Iterable<number>> {
  const { conversationHeads } = tables;
  const [head] = await tx
    .select({
      members: sql<Uint8Array | null>`(select members from audiences where id = ${conversationHeads.audienceId})`,
    })
    .from(conversationHeads)
    .where(eq(conversationHeads.conversationId, conversationId));
  return head?.members ? decodeMembers(head.members) : [];
}

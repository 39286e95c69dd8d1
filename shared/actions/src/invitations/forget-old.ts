import { type Tx, tables } from '@parley/db';
import { type SweptRealms, isSwept } from '@parley/model';
import { invitationTimes } from '@parley/protocol';
import { and, lt, ne, or, sql } from 'drizzle-orm';

/** Removes invitations that ended long ago, and that were asked for by links of which the same is true. */
export async function forgetOld(tx: Tx, nowMs: number, realmIds: SweptRealms): Promise<void> {
  const { invitations } = tables;
  const before = new Date(nowMs - invitationTimes.rememberedMs);
  const isOver = or(
    lt(invitations.expiresAt, before),
    and(ne(invitations.status, 'pending'), lt(invitations.createdAt, before)),
  );
  const isAskedFor = sql`exists (select from invitations asked where asked.realm_id = ${invitations.realmId} and asked.link_id = ${invitations.id})`;
  await tx
    .delete(invitations)
    .where(and(isOver, sql`not ${isAskedFor}`, isSwept(invitations.realmId, realmIds)));
}

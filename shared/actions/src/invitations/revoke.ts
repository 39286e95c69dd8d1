import { type Tx, tables } from '@parley/db';
import { type Actor, isAmong, hasId } from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { invitesChangedEvent } from './events.ts';
import { type InvitationKind, lockInvitation } from './lock.ts';

const { invitations } = tables;

/**
 * Revokes an invitation: its link ends, and so do the links that people were mailed who asked for them by it.
 *
 * @throws BAD_REQUEST for a bot, a guest, or an invitation that does not exist or has ended
 * @throws UNAUTHORIZED_PRINCIPAL for one that is somebody else's, for anyone but administrators; for one that makes
 * owners, for anyone but owners
 */
export async function revoke(
  tx: Tx,
  { actor, id, kind }: { actor: Actor; id: number; kind: InvitationKind },
): Promise<ActionResult> {
  const row = await lockInvitation(tx, actor, id, kind);
  if (row.status !== 'pending') {
    const msg =
      kind === 'link' ? 'This invitation has already been revoked.' : 'This invitation does not exist.';
    throw new ApiError('BAD_REQUEST', msg);
  }
  await tx
    .update(invitations)
    .set({ status: 'revoked' })
    .where(hasId(invitations, actor.realm, id));
  return { events: [await invitesChangedEvent(tx, actor.realm, [row.inviterId])] };
}
revoke.actionName = 'invitations.revoke' as const;

/** Revokes the invitations of users who are deactivated. */
export async function revokeOfInviters(
  tx: Tx,
  realm: { id: number },
  inviterIds: readonly number[],
): Promise<PendingEvent[]> {
  const rows = await tx
    .update(invitations)
    .set({ status: 'revoked' })
    .where(
      and(
        eq(invitations.realmId, realm.id),
        isAmong(invitations.inviterId, inviterIds),
        eq(invitations.status, 'pending'),
      ),
    )
    .returning({ id: invitations.id });
  return rows.length > 0 ? [await invitesChangedEvent(tx, realm, [])] : [];
}

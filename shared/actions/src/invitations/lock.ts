import { type InvitationRow, type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, roles } from '@parley/protocol';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';

export type InvitationKind = 'email' | 'link';

/**
 * Locks an invitation until the end of the transaction, for an actor who may look after it: who made it, or an
 * administrator; one that makes owners, only owners.
 *
 * @throws BAD_REQUEST for a bot, a guest, or an invitation that does not exist
 * @throws UNAUTHORIZED_PRINCIPAL for one that is somebody else's, for anyone but administrators; for one that makes
 * owners, for anyone but owners
 */
export async function lockInvitation(
  tx: Tx,
  actor: Actor,
  id: number,
  kind: InvitationKind,
): Promise<InvitationRow> {
  model.permissions.assertHuman(actor);
  model.permissions.assertMember(actor);
  const { invitations } = tables;
  const isOfKind = kind === 'email' ? isNotNull(invitations.email) : isNull(invitations.email);
  const isListed = and(eq(invitations.realmId, actor.realm.id), isNull(invitations.linkId), isOfKind);
  const [row] = await tx
    .select()
    .from(invitations)
    .where(and(isListed, eq(invitations.id, id)))
    .for('update');
  if (!row) throw new ApiError('BAD_REQUEST', 'This invitation does not exist.');
  if (row.inviterId !== actor.id) model.permissions.assertAdministrator(actor);
  if (row.role === roles.owner) model.permissions.assertOwner(actor);
  return row;
}

import { type InvitationRow, type Tx, type UserRow, tables } from '@parley/db';
import { ApiError, roles } from '@parley/protocol';
import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

import { type Actor, type Realm, isAdministrator, isOwner } from '../actor.ts';

const { invitations, users } = tables;

/** An invitation, who invited, and the link by which it was asked for. */
export interface Invitation {
  invitation: InvitationRow;
  inviter: UserRow;
  link: InvitationRow | null;
}

/** Returns an invitation of a realm, whatever became of it. */
export async function findInvitation(
  tx: Tx,
  realm: Pick<Realm, 'id'>,
  id: number,
): Promise<Invitation | undefined> {
  const links = alias(invitations, 'links');
  const [row] = await tx
    .select({ invitation: invitations, inviter: users, link: links })
    .from(invitations)
    .innerJoin(users, and(eq(users.realmId, invitations.realmId), eq(users.id, invitations.inviterId)))
    .leftJoin(links, and(eq(links.realmId, invitations.realmId), eq(links.id, invitations.linkId)))
    .where(and(eq(invitations.id, id), eq(invitations.realmId, realm.id)));
  return row;
}

/**
 * Checks that an invitation may be accepted.
 *
 * @throws NOT_FOUND for one that does not exist
 * @throws BAD_REQUEST for one that was accepted or revoked, or is too old, or by a link that was or is
 */
export function assertPending(found: Invitation | undefined, now: Date): asserts found is Invitation {
  if (!found) throw new ApiError('NOT_FOUND', 'This invitation link is not valid.');
  const { invitation, inviter, link } = found;
  if (invitation.status === 'accepted') throw isVoid('has been used');
  const isOld = [invitation, link].some((row) => row?.expiresAt && row.expiresAt <= now);
  if (isOld) throw isVoid('has expired');
  const isRevoked = invitation.status === 'revoked' || (link && link.status !== 'pending');
  // Of who may invite with this role, no one else vouches for it.
  if (isRevoked || !inviter.isActive || !mayInviteAs(inviter, invitation.role)) {
    throw isVoid('has been revoked');
  }
}

/** Returns whether an invitation may be accepted. */
export function isPending(found: Invitation | undefined, now: Date): found is Invitation {
  try {
    assertPending(found, now);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

const isVoid = (what: string) => new ApiError('BAD_REQUEST', `This invitation ${what}.`);

/** Returns whether somebody's role lets them invite somebody with a role. */
export const mayInviteAs = (inviter: { role: number }, role: number): boolean =>
  role === roles.owner ? isOwner(inviter) : role > roles.moderator || isAdministrator(inviter);

const pendingCondition = (now: Date) =>
  and(eq(invitations.status, 'pending'), or(isNull(invitations.expiresAt), gt(invitations.expiresAt, now)));

/**
 * Returns the invitations that an actor may look after, newest first: their own, and an administrator those of
 * everyone; but the links that make owners are shown to owners alone.
 */
export async function listInvitations(tx: Tx, actor: Actor, now: Date): Promise<InvitationRow[]> {
  const rows = await tx
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.realmId, actor.realm.id),
        isNull(invitations.linkId),
        pendingCondition(now),
        isAdministrator(actor) ? undefined : eq(invitations.inviterId, actor.id),
      ),
    )
    .orderBy(desc(invitations.id));
  return rows.filter(({ email, role }) => email !== null || mayInviteAs(actor, role));
}

import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import { type ActionResult, ApiError, limits } from '@parley/protocol';

import { lockInvitation } from './lock.ts';
import { mailInvitations } from './mail.ts';

/**
 * Sends the mail of an invitation again. It makes no event.
 *
 * @throws BAD_REQUEST for a bot, a guest, an invitation that does not exist or has ended, or one that was sent often
 * @throws UNAUTHORIZED_PRINCIPAL for one that is somebody else's, for anyone but administrators; for one that makes
 * owners, for anyone but owners
 */
export async function resend(
  tx: Tx,
  { actor, id, nowMs }: { actor: Actor; id: number; nowMs: number },
): Promise<ActionResult> {
  const row = await lockInvitation(tx, actor, id, 'email');
  const isOld = row.expiresAt !== null && row.expiresAt.getTime() <= nowMs;
  if (row.status !== 'pending' || isOld) throw new ApiError('BAD_REQUEST', 'This invitation does not exist.');
  if (row.mails >= limits.mailsPerInvitation) {
    throw new ApiError('BAD_REQUEST', 'This invitation has already been sent too many times.');
  }
  const { invitations } = tables;
  await tx
    .update(invitations)
    .set({ mails: row.mails + 1 })
    .where(hasId(invitations, actor.realm, id));
  return { events: [], jobs: await mailInvitations(tx, [row], nowMs) };
}
resend.actionName = 'invitations.resend' as const;

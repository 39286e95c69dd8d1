import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, mailTimes } from '@parley/protocol';

import { countSince, lockInvitations } from './count.ts';
import { invitesChangedEvent } from './events.ts';
import { type NotInvited, invitationFailed, resolveInvitees } from './invitees.ts';
import { mailInvitations } from './mail.ts';
import { type Offer, resolveOffer } from './offer.ts';

export interface EmailInvitations extends Offer {
  /** A text with addresses between commas or lines. */
  emails: string;
  /** Whether the actor is told when somebody joins. */
  notifiesInviter: boolean;
  /** The most invitations of the organization in a day; null for any number. */
  perDayMax: number | null;
}

/**
 * Invites people by email. Returns the addresses that are not invited because they have accounts.
 *
 * @throws BAD_REQUEST for a bot, a guest, somebody without the permission; for a role, channel or group that is not
 * theirs to give; for no address, or too many
 * @throws UNAUTHORIZED_PRINCIPAL for an invitation of an owner, for anyone but owners
 * @throws INVITATION_FAILED for an address that cannot be invited, if nobody is left to be, or after too many in a day
 */
export async function inviteByEmail(
  tx: Tx,
  { actor, emails: text, notifiesInviter, perDayMax, ...offer }: { actor: Actor } & EmailInvitations,
): Promise<ActionResult & { notInvited: NotInvited[] }> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const columns = await resolveOffer(tx, actor, rules, 'can_invite_users_group', offer);
  const { emails, notInvited } = await resolveInvitees(tx, actor, rules, text);
  await lockInvitations(tx, actor.realm);
  const since = new Date(offer.nowMs - mailTimes.limitMs);
  if (
    perDayMax !== null &&
    (await countSince(tx, actor.realm, since, 'direct')) + emails.length > perDayMax
  ) {
    const msg = `Nobody was invited: an organization can send at most ${perDayMax} invitations a day. Try again tomorrow.`;
    throw invitationFailed(msg, notInvited, { isLimitReached: true });
  }
  const rows = await tx
    .insert(tables.invitations)
    .values(emails.map((email) => ({ ...columns, email, notifiesInviter, mails: 1 })))
    .returning();
  return {
    events: [await invitesChangedEvent(tx, actor.realm, [actor.id])],

    jobs: await mailInvitations(tx, rows, offer.nowMs),
    notInvited,
  };
}
inviteByEmail.actionName = 'invitations.inviteByEmail' as const;

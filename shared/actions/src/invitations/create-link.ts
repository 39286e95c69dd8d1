import { type InvitationRow, type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, limits } from '@parley/protocol';

import { countLinks, lockInvitations } from './count.ts';
import { invitesChangedEvent } from './events.ts';
import { type Offer, resolveOffer } from './offer.ts';

/**
 * Makes a link by which anybody may join.
 *
 * @throws BAD_REQUEST for a bot, a guest, somebody without the permission; for a role, channel or group that is not
 * theirs to give; or for too many links
 * @throws UNAUTHORIZED_PRINCIPAL for a link that makes owners, for anyone but owners
 */
export async function createLink(
  tx: Tx,
  { actor, offer }: { actor: Actor; offer: Offer },
): Promise<ActionResult & { row: InvitationRow }> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const columns = await resolveOffer(tx, actor, rules, 'create_multiuse_invite_group', offer);
  await lockInvitations(tx, actor.realm);
  if ((await countLinks(tx, actor.realm)) >= limits.invitationLinksPerRealm) {
    throw new ApiError('BAD_REQUEST', 'There are too many invitation links. Revoke some that nobody needs.');
  }
  const [row] = await tx
    .insert(tables.invitations)
    .values({ ...columns, email: null, notifiesInviter: false })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  return { events: [await invitesChangedEvent(tx, actor.realm, [actor.id])], row };
}
createLink.actionName = 'invitations.createLink' as const;

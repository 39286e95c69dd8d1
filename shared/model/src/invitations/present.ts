import type { InvitationRow } from '@parley/db';
import type { Invite } from '@parley/protocol';

import { toSeconds } from '../time.ts';

/** Returns an invitation as clients are shown it. `urlOf` makes the address of a link. */
export function presentInvitation(row: InvitationRow, urlOf: (id: number) => string): Invite {
  const common = {
    id: row.id,
    invited_by_user_id: row.inviterId,
    invited: toSeconds(row.createdAt),
    expiry_date: row.expiresAt && toSeconds(row.expiresAt),
    invited_as: row.role,
  };
  return row.email === null
    ? { ...common, is_multiuse: true, link_url: urlOf(row.id) }
    : { ...common, is_multiuse: false, email: row.email, notify_referrer_on_join: row.notifiesInviter };
}

import type { Tx } from '@parley/db';
import * as model from '@parley/model';
import { type PendingEvent, events, to } from '@parley/protocol';

/**
 * Returns the event after any change of invitations, for those who see them in lists: administrators, and who invited.
 */
export async function invitesChangedEvent(
  tx: Tx,
  realm: { id: number },
  inviterIds: readonly number[],
): Promise<PendingEvent> {
  return to.users(
    [...(await model.users.listAdministratorIds(tx, realm.id)), ...inviterIds],
    events.invitesChanged({}),
  );
}

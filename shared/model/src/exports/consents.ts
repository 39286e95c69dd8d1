import { type Tx, type UserRow, tables } from '@parley/db';
import { type ExportConsent, type PendingEvent, events, to } from '@parley/protocol';
import { and, asc, eq, isNull } from 'drizzle-orm';

import { listAdministratorIds } from '../users/administrators.ts';

type Consenting = Pick<UserRow, 'id' | 'settings'>;

const hasConsented = ({ settings }: Consenting) => settings.allow_private_data_export ?? false;

/** Returns who of a realm's people lets exports contain what is private of theirs. */
export async function listExportConsents(tx: Tx, realmId: number): Promise<ExportConsent[]> {
  const { users } = tables;
  const rows = await tx
    .select({ id: users.id, settings: users.settings, emailVisibility: users.emailVisibility })
    .from(users)
    .where(and(eq(users.realmId, realmId), users.isActive, isNull(users.botType)))
    .orderBy(asc(users.id));
  return rows.map((user) => ({
    user_id: user.id,
    consented: hasConsented(user),
    email_address_visibility: user.emailVisibility,
  }));
}

/** Returns the event for administrators that says whether somebody consents. */
export async function exportConsentEvent(
  tx: Tx,
  user: Consenting & { realmId: number },
): Promise<PendingEvent> {
  const consent = { user_id: user.id, consented: hasConsented(user) };
  return to.users(await listAdministratorIds(tx, user.realmId), events.realmExportConsent(consent));
}

import { type Tx, tables } from '@parley/db';
import { type PendingEvent, events, roles, to } from '@parley/protocol';
import { and, eq, isNull, lte } from 'drizzle-orm';

/** The event after any change of invitations, for those who see them in lists: administrators, and who invited. */
export async function invitesChangedEvent(
  tx: Tx,
  realm: { id: number },
  inviterIds: readonly number[],
): Promise<PendingEvent> {
  const { users } = tables;
  const areAdministrators = and(
    eq(users.realmId, realm.id),
    users.isActive,
    isNull(users.botType),
    lte(users.role, roles.administrator),
  );
  const administrators = await tx.select({ id: users.id }).from(users).where(areAdministrators);
  return to.users([...administrators.map(({ id }) => id), ...inviterIds], events.invitesChanged({}));
}

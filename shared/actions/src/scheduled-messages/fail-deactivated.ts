import type { Tx } from '@parley/db';
import { type SweptRealms, isSwept } from '@parley/model';
import { sql } from 'drizzle-orm';

/**
 * Fails what becomes due in an organization that is deactivated: should the organization come back, its author
 * finds it among the failed ones. Nobody is told, because nobody is there.
 */
export async function failOfDeactivatedRealms(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx.execute(sql`
    update scheduled_messages m set failure_message = 'The organization was deactivated.'
    from users u join realms r on r.id = u.realm_id and not r.is_active
    where ${isSwept(sql`m.realm_id`, realmIds)} and ${isSwept(sql`u.realm_id`, realmIds)}
      and u.realm_id = m.realm_id and u.id = m.user_id and m.sent_at is null and m.failure_message is null and m.due_at <= ${now.toISOString()}`);
}

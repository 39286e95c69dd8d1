import { type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';
import type { Job } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { add as addMails } from '../mails/index.ts';

/** Has a user sent a digest, unless one is on its way today; answers with the job that sends it. */
export async function schedule(
  db: Tx,
  { userId, realmId }: { userId: number; realmId: number },
  now: Date,
): Promise<Job[]> {
  const today = now.toISOString().slice(0, 10);
  return await db.transaction(async (tx) => {
    const written = await tx.execute(sql`
      insert into digests (realm_id, user_id, sent_on) values (${realmId}, ${userId}, ${today}::date)
      on conflict (realm_id, user_id) do update set sent_on = excluded.sent_on where digests.sent_on < excluded.sent_on
      returning user_id`);
    if (written.length === 0) return [];
    const { users } = tables;
    const readers = await tx
      .select({ email: users.email })
      .from(users)
      .where(hasId(users, { id: realmId }, userId));
    return await addMails(
      tx,
      readers.map(({ email }) => ({
        realm: { id: realmId },
        recipient: email,
        content: { kind: 'digest', userId },
      })),
      now.getTime(),
    );
  });
}

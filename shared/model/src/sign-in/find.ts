import { type Tx, type UserRow, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

const { externalIdentities, users } = tables;

/** Returns the account of a realm that somebody whom a provider knows has signed in to before. */
export async function findUserBySubject(
  tx: Tx,
  realmId: number,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<UserRow | undefined> {
  const [row] = await tx
    .select({ user: users })
    .from(externalIdentities)
    .innerJoin(
      users,
      and(eq(users.id, externalIdentities.userId), eq(users.realmId, externalIdentities.realmId)),
    )
    .where(
      and(
        eq(externalIdentities.realmId, realmId),
        eq(externalIdentities.issuer, issuer),
        eq(externalIdentities.subject, subject),
      ),
    );
  return row?.user;
}

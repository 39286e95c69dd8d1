import { type Tx, type UserRow, tables } from '@parley/db';
import { isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

const { externalIdentities } = tables;

/** Somebody as a provider knows them: its own id of theirs, which never becomes that of somebody else. */
export interface Subject {
  issuer: string;
  subject: string;
}

/**
 * Lets somebody whom a provider knows be found as an account from now on. An account belongs to one of them.
 *
 * @throws AUTHENTICATION_FAILED for an account that belongs to somebody else at the provider
 */
export async function link(tx: Tx, user: UserRow, { issuer, subject }: Subject): Promise<void> {
  await tx
    .insert(externalIdentities)
    .values({ realmId: user.realmId, issuer, subject, userId: user.id })
    .onConflictDoNothing();
  const found = await model.signIn.findUserBySubject(tx, user.realmId, { issuer, subject });
  if (found?.id === user.id) return;
  const msg = 'This account belongs to somebody else at the provider. Ask whoever runs this server.';
  throw new ApiError('AUTHENTICATION_FAILED', msg);
}

/** Lets an account be signed in to by whoever has its address at a provider, as if nobody had done so. */
export async function unlink(
  tx: Tx,
  { user }: { user: { id: number; realm: { id: number } } },
): Promise<{ jobs: []; count: number }> {
  const gone = await tx
    .delete(externalIdentities)
    .where(isOfUser(externalIdentities, user))
    .returning({ subject: externalIdentities.subject });
  return { jobs: [], count: gone.length };
}
unlink.actionName = 'signIn.unlink' as const;

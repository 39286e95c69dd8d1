import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser, hasId } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type PendingEvent } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { endAll } from '../sessions/index.ts';

const { emailChanges, users } = tables;

/** Hashes of the password that was checked and of the one that takes its place. */
export interface PasswordChange {
  oldHash: string;
  newHash: string;
  /** True for a request for another email address that comes with the right password. */
  keepsEmailChange: boolean;
}

const wrongPassword = () => new ApiError('BAD_REQUEST', 'This is not your current password.');

/**
 * Checks the actor's password, and returns the hash that is stored. Checking and hashing take a tenth of a second of
 * computing each, so both are done before the transaction.
 *
 * @throws BAD_REQUEST for a wrong password
 */
export async function checkPassword(
  read: <Result>(query: (tx: Tx) => Promise<Result>) => Promise<Result>,
  actor: Actor,
  password: string,
): Promise<string> {
  const [user] = await read((tx) =>
    tx
      .select({ hash: users.passwordHash })
      .from(users)
      .where(hasId(users, actor.realm, actor.id)),
  );
  const hash = user?.hash ?? null;
  if (!(await model.users.verifyPassword(hash, password)) || hash === null) throw wrongPassword();
  return hash;
}

/**
 * Returns the hash of a new password of the actor.
 *
 * @throws BAD_REQUEST for a weak one
 */
export const hashOwnPassword = (actor: Actor, password: string): Promise<string> =>
  model.users.hashNewPassword(
    password,
    [actor.email, actor.fullName],
    'This password is too easy to guess. Choose a longer one.',
  );

/**
 * Gives the actor the new password, and voids a request for another email address: whoever knew the old password could
 * have made it. Sessions end; API keys stay, also the one that the request came with.
 *
 * @throws BAD_REQUEST for a bot, or if the password is no longer the one that was checked
 */
export async function changePassword(
  tx: Tx,
  actor: Actor,
  { oldHash, newHash, keepsEmailChange }: PasswordChange,
): Promise<PendingEvent[]> {
  model.permissions.assertHuman(actor);
  const hasPassword = and(hasId(users, actor.realm, actor.id), eq(users.passwordHash, oldHash));
  const changed = await tx.update(users).set({ passwordHash: newHash }).where(hasPassword).returning();
  if (changed.length === 0) throw wrongPassword();
  if (!keepsEmailChange) await tx.delete(emailChanges).where(isOfUser(emailChanges, actor));
  return await endAll(tx, actor);
}

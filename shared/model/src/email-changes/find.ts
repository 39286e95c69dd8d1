import { type Tx, tables } from '@parley/db';
import { ApiError, fullUserSettings } from '@parley/protocol';
import { and, asc, eq, gt, isNotNull, lte } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { type SweptRealms, hasId, isSwept } from '../ids.ts';
import { type Site, realmAt } from '../realms/site.ts';

const { emailChanges, realms, users } = tables;

/** A mail that asks the owner of a new address to confirm it. */
export interface EmailChangeMail {
  realm: Realm;
  realmName: string;
  fullName: string;
  oldEmail: string;
  newEmail: string;
  /** That of the account. */
  language: string;
}

/**
 * Returns what is to be mailed about a change; undefined if its mail is sent, or it is confirmed, replaced or too old.
 */
export async function findEmailChangeMail(
  tx: Tx,
  site: Site,
  { realmId, id }: { realmId: number; id: number },
  now: Date,
): Promise<EmailChangeMail | undefined> {
  const isDue = and(
    hasId(emailChanges, { id: realmId }, id),
    isNotNull(emailChanges.mailDueAt),
    gt(emailChanges.expiresAt, now),
    users.isActive,
    realms.isActive,
  );
  const [row] = await tx
    .select({ change: emailChanges, realm: realms, user: users })
    .from(emailChanges)
    .innerJoin(realms, eq(realms.id, emailChanges.realmId))
    .innerJoin(users, and(eq(users.realmId, emailChanges.realmId), eq(users.id, emailChanges.userId)))
    .where(isDue);
  const realm = row && realmAt(row.realm, site);
  if (!realm) return undefined;
  const { oldEmail, newEmail } = row.change;
  const { fullName, settings } = row.user;
  const language = fullUserSettings(settings).default_language;
  return { realm, realmName: row.realm.displayName, fullName, oldEmail, newEmail, language };
}

/** Returns changes whose mail is due. */
export async function listDueEmailChanges(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<{ id: number; realmId: number }[]> {
  return await tx
    .select({ id: emailChanges.id, realmId: emailChanges.realmId })
    .from(emailChanges)
    .where(and(lte(emailChanges.mailDueAt, now), isSwept(emailChanges.realmId, realmIds)))
    .orderBy(asc(emailChanges.mailDueAt))
    .limit(limit);
}

/**
 * Returns the address that a link asks to confirm.
 *
 * @throws NOT_FOUND for one that is confirmed, replaced or too old, or another organization's
 */
export async function getPendingEmail(tx: Tx, realmId: number, id: number, now: Date): Promise<string> {
  const isPending = and(hasId(emailChanges, { id: realmId }, id), gt(emailChanges.expiresAt, now));
  const [row] = await tx.select({ email: emailChanges.newEmail }).from(emailChanges).where(isPending);
  if (!row) throw new ApiError('NOT_FOUND', 'This link is no longer valid.');
  return row.email;
}

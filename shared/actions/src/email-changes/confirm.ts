import { type Tx, tables } from '@parley/db';
import { type Realm, isAdministrator, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, gt } from 'drizzle-orm';

import { lockConversations, lockUser } from '../lock.ts';
import { add as addMails } from '../mails/index.ts';
import { userChangeEvents } from '../users/index.ts';
import { reserveEmail } from './reserve-email.ts';

const { emailChanges, users } = tables;

/**
 * Gives a user the email address that they asked for, once. A mail tells the address that they had.
 *
 * @throws NOT_FOUND for a request that was confirmed, replaced or is too old, or whose account changed since
 * @throws BAD_REQUEST for an address that somebody else has by now, or where users may no longer change theirs
 */
export async function confirm(
  tx: Tx,
  { realm, id, now }: { realm: Realm; id: number; now: Date },
): Promise<ActionResult & { email: string }> {
  const isPending = and(hasId(emailChanges, realm, id), gt(emailChanges.expiresAt, now));
  const [pending] = await tx.select().from(emailChanges).where(isPending);
  if (!pending) throw isVoid();
  await reserveEmail(tx, realm, pending.userId, pending.newEmail);
  // Who may see an email address depends on roles, so changes of accounts take turns.
  await lockConversations(tx, realm, [realm.membersConversationId]);
  const [change] = await tx.delete(emailChanges).where(isPending).returning();
  const before = await lockUser(tx, { id: pending.userId, realm });
  if (!change || !before.isActive || before.email !== change.oldEmail) throw isVoid();
  const rules = await model.permissions.getRules(tx, realm.id);
  if (rules.settings.email_changes_disabled && !isAdministrator(before)) {
    throw new ApiError('BAD_REQUEST', 'This organization does not let people change their email addresses.');
  }
  const [after] = await tx
    .update(users)
    .set({ email: change.newEmail })
    .where(hasId(users, realm, before.id))
    .returning();
  if (!after) throw new Error(`User ${before.id} is locked and does not exist.`);
  const [first, ...more] = await userChangeEvents(tx, realm, before, after, rules);
  const content = { kind: 'email-changed', fullName: after.fullName, newEmail: after.email } as const;
  // The email address is half of the credentials.
  return {
    jobs: await addMails(tx, [{ realm, recipient: before.email, content }], now.getTime()),
    events: first ? [{ ...first, revokes: [after.id] }, ...more] : [],
    changesRules: true,
    email: after.email,
  };
}
confirm.actionName = 'emailChanges.confirm' as const;

const isVoid = () => new ApiError('NOT_FOUND', 'This link is no longer valid.');

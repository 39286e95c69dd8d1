import { type Tx, tables } from '@parley/db';
import { type Actor, isAdministrator, parseEmail, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type Job, mailTimes } from '@parley/protocol';

import { reserveEmail } from './reserve-email.ts';

/**
 * Asks for another email address of the actor: the jobs it returns send a mail there, and the address changes when it is
 * confirmed. It makes no event. An earlier request of the actor is void from now on.
 *
 * @throws BAD_REQUEST for a bot, an address that is invalid or taken, or where users may not change theirs
 */
export async function request(tx: Tx, actor: Actor, email: string, nowMs: number): Promise<Job[]> {
  model.permissions.assertHuman(actor);
  const { realm } = actor;
  const newEmail = parseEmail(email, 'Enter a valid email address.');
  if (
    (await model.permissions.getRules(tx, realm.id)).settings.email_changes_disabled &&
    !isAdministrator(actor)
  ) {
    throw new ApiError('BAD_REQUEST', 'This organization does not let people change their email addresses.');
  }
  await reserveEmail(tx, realm, actor.id, newEmail);
  const { emailChanges } = tables;
  await tx.delete(emailChanges).where(isOfUser(emailChanges, actor));
  const [change] = await tx
    .insert(emailChanges)
    .values({
      realmId: realm.id,
      userId: actor.id,
      oldEmail: actor.email,
      newEmail,
      expiresAt: new Date(nowMs + mailTimes.confirmationMs),
      mailDueAt: new Date(nowMs + mailTimes.retryMs),
    })
    .returning({ id: emailChanges.id });
  if (!change) throw new Error('An insert returned no row.');
  return [{ name: 'confirm-email', id: change.id, realmId: realm.id }];
}

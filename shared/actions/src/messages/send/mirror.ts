import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, isMirror } from '@parley/protocol';

import type { Recipient } from './recipients.ts';

/** What a program that mirrors another service says of a message beside its text. */
interface Forgery {
  /** The name of the program. */
  client: string;
  /** The email address of the account that the message is from; without one, it is from the actor. */
  sender: string | undefined;
  recipient: Recipient;
}

/** @throws BAD_REQUEST for an actor who may not send in the name of others, or at past times */
export function assertMayForge(actor: Pick<Actor, 'mayForgeSender'>): void {
  if (!actor.mayForgeSender) throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
}

const invalid = () => new ApiError('BAD_REQUEST', 'This mirrored message is not complete.');

/**
 * Returns the id of the account that a mirrored message is from. A direct message is among those who are in it, of whom
 * the actor must be one.
 *
 * @throws BAD_REQUEST for an actor who may not mirror, a program that mirrors nothing, a sender who does not exist, or a
 * direct message of others
 */
export async function getMirroredSenderId(
  tx: Tx,
  actor: Actor,
  { client, sender, recipient }: Forgery,
): Promise<number> {
  assertMayForge(actor);
  if (sender === undefined) return actor.id;
  if (!isMirror(client)) throw invalid();
  const emails = recipient.type === 'direct' ? recipient.users.filter((one) => typeof one === 'string') : [];
  if (recipient.type === 'direct' && emails.length < recipient.users.length) {
    throw new ApiError('BAD_REQUEST', 'A mirrored message names its recipients by email address, not by id.');
  }
  const users = await model.users.listUsersByEmail(tx, actor, [sender, ...emails]);
  const account = users.get(sender.toLowerCase());
  if (!account?.isActive || account.isSystem) throw invalid();
  const people = [account, ...emails.map((email) => users.get(email.toLowerCase()))];
  if (recipient.type === 'direct' && !people.some((one) => one?.id === actor.id)) throw invalid();
  return account.id;
}

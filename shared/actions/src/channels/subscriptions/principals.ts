import type { Tx, UserRow } from '@parley/db';
import { type Actor, listUsersByEmail, filterAccessible, listUsers } from '@parley/model';
import { ApiError } from '@parley/protocol';

/** The accounts that a request names by id or by address; the actor's own where it names none. */
export async function getPrincipals(
  tx: Tx,
  actor: Actor,
  named: number[] | string[] | null,
): Promise<UserRow[]> {
  const wanted = new Set<number | string>(named ?? [actor.id]);
  const ids = [...wanted].filter((one) => typeof one === 'number');
  const emails = [...wanted].filter((one) => typeof one === 'string');
  const byEmail = await listUsersByEmail(tx, actor.realm.id, emails);
  const found = await filterAccessible(tx, actor, [
    ...(await listUsers(tx, actor.realm.id, ids)),
    ...emails.flatMap((email) => byEmail.get(email.toLowerCase()) ?? []),
  ]);
  if (found.length < wanted.size || found.some(({ isActive, isSystem }) => !isActive || isSystem)) {
    throw new ApiError('BAD_REQUEST', 'No such user');
  }
  return [...new Map(found.map((user) => [user.id, user])).values()];
}

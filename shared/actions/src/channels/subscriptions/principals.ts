import type { Tx, UserRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

/**
 * Returns the active accounts that a request names by id or email address; the actor's own if it names none.
 *
 * @throws BAD_REQUEST for a user who does not exist, is deactivated, or whom the actor may not see
 */
export async function getPrincipals(
  tx: Tx,
  actor: Actor,
  principals: number[] | string[] | null,
): Promise<UserRow[]> {
  const requested = new Set<number | string>(principals ?? [actor.id]);
  const ids = [...requested].filter((principal) => typeof principal === 'number');
  const emails = [...requested].filter((principal) => typeof principal === 'string');
  const byEmail = await model.users.listUsersByEmail(tx, actor, emails);
  const users = await model.access.filterAccessible(tx, actor, [
    ...(await model.users.listUsers(tx, actor.realm.id, ids)),
    ...emails.flatMap((email) => byEmail.get(email.toLowerCase()) ?? []),
  ]);
  if (users.length < requested.size || users.some(({ isActive, isSystem }) => !isActive || isSystem)) {
    throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  }
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

import { isDeepStrictEqual } from 'node:util';

import { type Tx, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';

/** The account of an actor has changed since it was read: what it asked for is to be served again. */
export class ActorChanged extends Error {}

/**
 * Refuses to act for an account whose role, groups or key have changed since it was read, or whose realm has ended. It is
 * called where an action begins: what changes later makes the action stale at its position in the log.
 *
 * @throws {ActorChanged}
 */
export async function assertActorUnchanged(tx: Tx, actor: Actor): Promise<void> {
  const { realms, users } = tables;
  const [row] = await tx
    .select({
      role: users.role,
      isFullMember: users.isFullMember,
      groupIds: users.groupIds,
      isActive: users.isActive,
      keyGeneration: users.keyGeneration,
      botOwnerId: users.botOwnerId,
      realmIsActive: realms.isActive,
    })
    .from(users)
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(and(eq(users.realmId, actor.realm.id), eq(users.id, actor.id)));
  const isSame =
    row?.isActive === true && row.realmIsActive && isDeepStrictEqual(accountOf(row), accountOf(actor));
  if (!isSame) throw new ActorChanged('Your account has changed in the meantime. Please try again.');
}

type Account = Pick<Actor, 'isFullMember' | 'groupIds' | 'keyGeneration' | 'botOwnerId'> & { role: number };

/** Returns what has to be the same still of an account that acts. The function append_flags compares it with the row. */
export const accountOf = ({ role, isFullMember, groupIds, keyGeneration, botOwnerId }: Account): Account => ({
  role,
  isFullMember,
  groupIds,
  keyGeneration,
  botOwnerId,
});

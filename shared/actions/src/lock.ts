import { type Tx, tables } from '@parley/db';
import { isAmong, type Realm } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { asc, sql, eq, and } from 'drizzle-orm';

const { users } = tables;

/**
 * Locks conversations until the end of the transaction, so that changes of their members take turns. Rows are locked in
 * the order of their ids, so that two transactions cannot wait for each other.
 */
export async function lockConversations(tx: Tx, realm: { id: number }, ids: number[]): Promise<void> {
  const { conversations } = tables;
  if (ids.length === 0) return;
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.realmId, realm.id), isAmong(conversations.id, ids)))
    .orderBy(asc(conversations.id))
    .for('no key update');
}

/**
 * Locks a name or a list of a realm until the end of the transaction: two transactions that create the same name, or
 * change the same list, take turns. Lists are locked before names, names of one kind in sorted order, and all of these
 * before conversations.
 */
export async function lockName(
  tx: Tx,
  kind: 'channel' | 'email' | 'list' | 'user',
  realmId: number,
  name: string,
): Promise<void> {
  await tx.execute(sql`select lock_name(${realmId}, ${kind}, lower(${name}))`);
}

/**
 * Locks the users' visibility policies for the topics of channels until the end of the transaction. Whoever sets policies
 * shares the lock. Whoever removes or moves those of all topics has it alone, and finds every policy that was set before.
 */
export async function lockTopicPolicies(
  tx: Tx,
  { id: realmId }: { id: number },
  channelIds: number[],
  mode: 'shared' | 'alone',
): Promise<void> {
  for (const id of [...new Set(channelIds)].sort((a, b) => a - b)) {
    await tx.execute(
      sql`select lock_shared(${realmId}, 'topic policies', ${String(id)}, ${mode === 'alone'})`,
    );
  }
}

/**
 * Locks the groups of a realm and their members until the end of the transaction. Whoever changes them has the lock
 * alone. Whoever lets a permission name groups shares it: so it is known of every group whether a permission names it.
 */
export async function lockUserGroups(tx: Tx, realmId: number, mode: 'shared' | 'alone'): Promise<void> {
  await tx.execute(sql`select lock_shared(${realmId}, 'user groups', '', ${mode === 'alone'})`);
}

/** Locks the scheduled messages and the reminders of a user until the end of the transaction. */
export async function lockSchedule(tx: Tx, user: { id: number; realm: { id: number } }): Promise<void> {
  await tx.execute(sql`select lock_name(${user.realm.id}, 'schedule', ${String(user.id)})`);
}

/**
 * Locks the realm's row until the end of the transaction, and reads it. Only who has locked it changes it: where several servers
 * have the row, the rest of the transaction sees tables as they are divided, which have all of them changed.
 */
export async function lockRealm(tx: Tx, id: number) {
  await tx.execute(sql`select set_config('search_path', 'public', true)`);
  const [realm] = await tx.select().from(tables.realms).where(eq(tables.realms.id, id)).for('no key update');
  if (!realm) throw new Error(`Realm ${id} does not exist.`);
  return realm;
}

/**
 * Locks a user's row until the end of the transaction, and reads it.
 *
 * @throws BAD_REQUEST when the realm has no such user
 */
export async function lockUser(tx: Tx, { id, realm }: { id: number; realm: Pick<Realm, 'id'> }) {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.realmId, realm.id)))
    .for('no key update');
  if (!row) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  return row;
}

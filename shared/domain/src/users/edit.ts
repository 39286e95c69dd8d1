import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, type MembershipChange, type Role, roles } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type Actor, isOwner } from '../actor.ts';
import { lockConversations, lockName } from '../lock.ts';
import { type Filling, fill } from '../profile-fields/set.ts';
import { getRules } from '../realms/rules.ts';
import { draftsOfChange } from './change.ts';
import { type UserRow, countOwners, findUserByEmail, getUser } from './find.ts';
import { getLockedUser, settleName } from './hold.ts';
import { draftsOfRole } from './role.ts';

export interface UserEdit {
  user: number | string;
  fullName?: string | undefined;
  role?: Role | undefined;
  newEmail?: string | undefined;
  profile?: Filling[] | undefined;
}

/** What an administrator changes about somebody's account. */
export async function edit(tx: Tx, actor: Actor, wanted: UserEdit): Promise<ActionResult> {
  const { realm } = actor;
  if (wanted.newEmail !== undefined) await settleEmail(tx, actor, wanted.newEmail);
  const rules = await getRules(tx, realm.id);
  const { id } = await getUser(tx, actor, wanted.user);
  if (wanted.fullName !== undefined) await settleName(tx, { id, realm }, wanted.fullName, rules);
  // Who sees whom and what depends on who is what: accounts change one at a time.
  await lockConversations(tx, [realm.membersConversationId]);
  const before = await getLockedUser(tx, { id, realm });
  if (before.isSystem) throw new ApiError('BAD_REQUEST', 'No such user');
  if (wanted.role !== undefined) await checkRole(tx, actor, before, wanted.role);

  const [after] = await tx
    .update(tables.users)
    .set({
      fullName: wanted.fullName ?? before.fullName,
      role: wanted.role ?? before.role,
      email: wanted.newEmail ?? before.email,
    })
    .where(eq(tables.users.id, id))
    .returning();
  if (!after) throw new Error(`User ${id} is held and does not exist.`);

  const profile = await fillProfile(tx, actor, after, wanted.profile ?? []);
  const changes = await draftsOfChange(tx, realm, before, after, rules);
  const [first] = changes;
  // The address is half of the credentials.
  if (first && before.email !== after.email) first.revokes = [id];
  const hasRole = before.role === after.role;
  return {
    events: [...changes, ...(hasRole ? [] : await draftsOfRole(tx, realm, before, after, rules)), ...profile],
    memberships: after.isActive ? membersChange(realm.membersConversationId, before, after) : [],
    keepsRules: changes.length === 0 && hasRole,
  };
}

async function fillProfile(tx: Tx, actor: Actor, user: UserRow, fillings: Filling[]) {
  if (fillings.length === 0) return [];
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Bots have no profile.');
  return await fill(tx, actor, user, fillings);
}

async function settleEmail(tx: Tx, actor: Actor, email: string): Promise<void> {
  const { users } = tables;
  const [me] = await tx.select({ may: users.canChangeUserEmails }).from(users).where(eq(users.id, actor.id));
  if (!me?.may || !isOwner(actor)) {
    throw new ApiError('BAD_REQUEST', 'User not authorized to change user emails');
  }
  await lockName(tx, 'email', actor.realm.id, email);
  if (await findUserByEmail(tx, actor.realm.id, email)) {
    throw new ApiError('BAD_REQUEST', 'New email value error: Already in use.');
  }
}

async function checkRole(tx: Tx, actor: Actor, user: UserRow, role: Role): Promise<void> {
  if (user.role === role) return;
  if (role === roles.owner || user.role === roles.owner) checkOwner(actor);
  if (user.role === roles.guest && role <= roles.administrator) {
    throw new ApiError('BAD_REQUEST', 'A guest cannot be made an administrator.');
  }
  if (await isOnlyOwner(tx, user)) {
    const msg = 'The owner permission cannot be removed from the only organization owner.';
    throw new ApiError('BAD_REQUEST', msg);
  }
}

export function checkOwner(actor: Actor): void {
  if (!isOwner(actor)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}

/** Whether an organization would be without an owner if it were not for this one. */
export const isOnlyOwner = async (tx: Tx, { role, botType, isActive, realmId }: UserRow) =>
  role === roles.owner && botType === null && isActive && (await countOwners(tx, realmId)) === 1;

function membersChange(conversationId: number, before: UserRow, after: UserRow): MembershipChange[] {
  const [was, is] = [before.role < roles.guest, after.role < roles.guest];
  if (was === is) return [];
  const ids = [after.id];
  return [{ conversationId, joined: is ? ids : [], left: is ? [] : ids, keepsSubscriptions: true }];
}

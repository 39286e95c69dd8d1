import { type Tx, tables, type UserRow } from '@parley/db';
import { assertAdministrator, assertOwner, parseEmail, parseFullName, parseOptional } from '@parley/model';
import { type Actor, getRules, getUser, isOwner, findUserByEmail } from '@parley/model';
import { type Role, type ActionResult, ApiError, roles, type MembershipChange } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockConversations, lockUser, lockName } from '../lock.ts';
import { type FieldInput, setFields } from '../profile-fields/index.ts';
import { userChangeEvents } from './events.ts';
import { reserveName } from './names.ts';
import { isOnlyOwner } from './owners.ts';
import { roleChangeEvents } from './role.ts';

export interface UserEdit {
  user: number | string;
  fullName?: string | undefined;
  role?: Role | undefined;
  newEmail?: string | undefined;
  profile?: FieldInput[] | undefined;
}

/**
 * What an administrator changes about somebody's account.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators, and about owners for anyone but owners
 * @throws BAD_REQUEST for a user who is not there, a name or an address that is none or taken, the only owner
 */
export async function edit(tx: Tx, actor: Actor, input: UserEdit): Promise<ActionResult> {
  assertAdministrator(actor);
  return await editAccount(tx, actor, {
    ...input,
    fullName: parseOptional(input.fullName, parseFullName),
    newEmail: parseOptional(input.newEmail, (email) => parseEmail(email, 'Invalid new email address.')),
  });
}

/** The same for whoever may change the account for another reason, with input that is parsed. */
export async function editAccount(tx: Tx, actor: Actor, wanted: UserEdit): Promise<ActionResult> {
  const { realm } = actor;
  if (wanted.newEmail !== undefined) await reserveEmail(tx, actor, wanted.newEmail);
  const rules = await getRules(tx, realm.id);
  const { id } = await getUser(tx, actor, wanted.user);
  if (wanted.fullName !== undefined) await reserveName(tx, { id, realm }, wanted.fullName, rules);
  // Who sees whom and what depends on who is what: accounts change one at a time.
  await lockConversations(tx, [realm.membersConversationId]);
  const before = await lockUser(tx, { id, realm });
  if (before.isSystem) throw new ApiError('BAD_REQUEST', 'No such user');
  if (wanted.role !== undefined) await assertMayChangeRole(tx, actor, before, wanted.role);

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

  const profile = await setProfile(tx, actor, after, wanted.profile ?? []);
  const changes = await userChangeEvents(tx, realm, before, after, rules);
  const [first] = changes;
  // The address is half of the credentials.
  if (first && before.email !== after.email) first.revokes = [id];
  const hasRole = before.role === after.role;
  return {
    events: [
      ...changes,
      ...(hasRole ? [] : await roleChangeEvents(tx, realm, before, after, rules)),
      ...profile,
    ],
    memberships: after.isActive ? membershipChanges(realm.membersConversationId, before, after) : [],
    keepsRules: changes.length === 0 && hasRole,
  };
}

async function setProfile(tx: Tx, actor: Actor, user: UserRow, fillings: FieldInput[]) {
  if (fillings.length === 0) return [];
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Bots have no profile.');
  return await setFields(tx, actor, user, fillings);
}

async function reserveEmail(tx: Tx, actor: Actor, email: string): Promise<void> {
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

async function assertMayChangeRole(tx: Tx, actor: Actor, user: UserRow, role: Role): Promise<void> {
  if (user.role === role) return;
  if (role === roles.owner || user.role === roles.owner) assertOwner(actor);
  if (user.role === roles.guest && role <= roles.administrator) {
    throw new ApiError('BAD_REQUEST', 'A guest cannot be made an administrator.');
  }
  if (await isOnlyOwner(tx, user)) {
    const msg = 'The owner permission cannot be removed from the only organization owner.';
    throw new ApiError('BAD_REQUEST', msg);
  }
}

function membershipChanges(conversationId: number, before: UserRow, after: UserRow): MembershipChange[] {
  const [was, is] = [before.role < roles.guest, after.role < roles.guest];
  if (was === is) return [];
  const ids = [after.id];
  return [{ conversationId, joined: is ? ids : [], left: is ? [] : ids, keepsSubscriptions: true }];
}

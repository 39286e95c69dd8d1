import { type Tx, tables, type UserRow } from '@parley/db';
import {
  parseEmail,
  parseFullName,
  parseOptional,
  type Actor,
  type Realm,
  isAdministrator,
  isGuest,
  isOwner,
  hasId,
} from '@parley/model';
import * as model from '@parley/model';
import { type Role, type ActionResult, ApiError, roles, type MembershipChange } from '@parley/protocol';

import { lockConversations, lockUser, lockName } from '../lock.ts';
import { add as addMails } from '../mails/index.ts';
import { type FieldInput, setFields } from '../profile-fields/index.ts';
import { userChangeEvents } from './events.ts';
import { reserveName } from './names.ts';
import { isOnlyOwner } from './owners.ts';
import { roleChangeEvents } from './role.ts';

export interface UserEdit {
  user: number | string;
  fullName?: string | undefined;
  role?: Role | undefined;
  /** Its old address is told at that time. */
  newEmail?: { address: string; nowMs: number } | undefined;
  profile?: FieldInput[] | undefined;
}

/**
 * Changes somebody's account as an administrator.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators; for making or unmaking an owner, for anyone but owners
 * @throws BAD_REQUEST for a user who does not exist, a name or an email address that is invalid or taken, an invalid
 * profile value, a guest who would become an administrator, the only owner who would be none, or a new email address
 * without the operator's permission
 */
export async function edit(tx: Tx, { actor, ...input }: { actor: Actor } & UserEdit): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  return await editAccount(tx, actor, {
    ...input,
    fullName: parseOptional(input.fullName, parseFullName),
    newEmail: parseOptional(input.newEmail, ({ address, nowMs }) => ({
      address: parseEmail(address, 'Enter a valid email address.'),
      nowMs,
    })),
  });
}
edit.actionName = 'users.edit' as const;

/**
 * Changes an account, with input that is parsed, for an actor whose right to do so the caller has checked.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for making or unmaking an owner, for anyone but owners
 * @throws BAD_REQUEST for a user who does not exist, a name or an email address that is taken, an invalid profile value,
 * a guest who would become an administrator, the only owner who would be none, or a new email address without the
 * operator's permission
 */
export async function editAccount(tx: Tx, actor: Actor, input: UserEdit): Promise<ActionResult> {
  const { realm } = actor;
  if (input.newEmail !== undefined) await reserveEmail(tx, actor, input.newEmail.address);
  const rules = await model.permissions.getRules(tx, realm.id);
  const { id } = await model.users.getUser(tx, actor, input.user);
  if (input.fullName !== undefined) await reserveName(tx, { id, realm }, input.fullName, rules);
  // Who may see which users and channels depends on roles, so changes of accounts take turns.
  await lockConversations(tx, realm, [realm.membersConversationId]);
  const before = await lockUser(tx, { id, realm });
  if (before.isSystem) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  if (input.role !== undefined) await assertMayChangeRole(tx, actor, before, input.role);

  const [after] = await tx
    .update(tables.users)
    .set({
      fullName: input.fullName ?? before.fullName,
      role: input.role ?? before.role,
      email: input.newEmail?.address ?? before.email,
    })
    .where(hasId(tables.users, realm, id))
    .returning();
  if (!after) throw new Error(`User ${id} is locked and does not exist.`);

  const profile = await setProfile(tx, actor, after, input.profile ?? []);
  const changes = await userChangeEvents(tx, realm, before, after, rules);
  const [first] = changes;
  // The email address is half of the credentials.
  if (first && before.email !== after.email) first.revokes = [id];
  const keepsRole = before.role === after.role;
  return {
    jobs: input.newEmail ? await tellOldAddress(tx, realm, before, after, input.newEmail.nowMs) : [],
    events: [
      ...changes,
      ...(keepsRole ? [] : await roleChangeEvents(tx, realm, before, after, rules)),
      ...profile,
    ],
    memberships: after.isActive ? membershipChanges(realm.membersConversationId, before, after) : [],
    changesRules: changes.length > 0 || !keepsRole,
  };
}

async function tellOldAddress(tx: Tx, realm: Realm, before: UserRow, after: UserRow, nowMs: number) {
  if (after.botType !== null || before.email === after.email) return [];
  const content = { kind: 'email-changed', fullName: after.fullName, newEmail: after.email } as const;
  return await addMails(tx, [{ realm, recipient: before.email, content }], nowMs);
}

async function setProfile(tx: Tx, actor: Actor, user: UserRow, inputs: FieldInput[]) {
  if (inputs.length === 0) return [];
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'A bot has no profile fields.');
  return await setFields(tx, actor, user, inputs);
}

async function reserveEmail(tx: Tx, actor: Actor, email: string): Promise<void> {
  const { users } = tables;
  const [account] = await tx
    .select({ may: users.canChangeUserEmails })
    .from(users)
    .where(hasId(users, actor.realm, actor.id));
  if (!account?.may || !isOwner(actor)) {
    throw new ApiError('BAD_REQUEST', "You do not have permission to change other people's email addresses.");
  }
  await lockName(tx, 'email', actor.realm.id, email);
  if (await model.users.findUserByEmail(tx, actor.realm.id, email)) {
    throw new ApiError('BAD_REQUEST', 'Another account already uses this email address.');
  }
  const check = await model.realmDomains.createEmailCheck(
    tx,
    actor.realm.id,
    await model.permissions.getRules(tx, actor.realm.id),
  );
  const refusal = check(email);
  if (refusal !== null) throw new ApiError('BAD_REQUEST', `The email address was not changed: ${refusal}`);
}

async function assertMayChangeRole(tx: Tx, actor: Actor, user: UserRow, role: Role): Promise<void> {
  if (user.role === role) return;
  if (role === roles.owner || user.role === roles.owner) model.permissions.assertOwner(actor);
  if (isGuest(user) && isAdministrator({ role })) {
    throw new ApiError(
      'BAD_REQUEST',
      'A guest cannot become an administrator. Make the account a member first.',
    );
  }
  if (await isOnlyOwner(tx, user)) {
    const msg = 'An organization needs at least one owner, and this is its only one.';
    throw new ApiError('BAD_REQUEST', msg);
  }
}

function membershipChanges(conversationId: number, before: UserRow, after: UserRow): MembershipChange[] {
  const [wasMember, isMember] = [!isGuest(before), !isGuest(after)];
  if (wasMember === isMember) return [];
  const ids = [after.id];
  return [
    { conversationId, joined: isMember ? ids : [], left: isMember ? [] : ids, keepsSubscriptions: true },
  ];
}

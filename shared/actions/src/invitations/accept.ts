import { type Tx, type UserRow, tables } from '@parley/db';
import { type Realm, actorOf, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type Role, realmDeactivated } from '@parley/protocol';
import { and, desc, eq, ne, sql } from 'drizzle-orm';

import { lockName } from '../lock.ts';
import { noticeEvents } from '../messages/index.ts';
import { listOfferedGroups } from '../user-groups/index.ts';
import { type NewUser, create } from '../users/index.ts';
import { invitesChangedEvent } from './events.ts';
import { listOfferedChannels } from './offer.ts';

const { invitations } = tables;

export interface Acceptance {
  id: number;
  fullName: string;
  password: string;
  /** The language of the browser; null if it does not say. */
  language: string | null;
  nowMs: number;
}

/**
 * Makes the account that somebody is invited to, once.
 *
 * @throws NOT_FOUND for an invitation that does not exist
 * @throws REALM_DEACTIVATED in a deactivated realm
 * @throws BAD_REQUEST for an invitation that was accepted, revoked or is too old, an invalid name or password, or an
 * address that has an account or that the realm does not take by now
 */
export async function accept(
  tx: Tx,
  { realm, id, nowMs, ...account }: { realm: Realm } & Acceptance,
): Promise<ActionResult & { user: UserRow }> {
  if (!(await model.realms.getRealm(tx, realm.id)).isActive) {
    throw realmDeactivated();
  }
  const now = new Date(nowMs);
  return await makeAccount(tx, realm, await lockPending(tx, realm, id, now), {
    ...account,
    nowMs,
  });
}
accept.actionName = 'invitations.accept' as const;

/**
 * Makes the account of somebody who was invited by email and whom another service has identified; undefined if nobody has
 * invited them. The caller has locked the address.
 *
 * @throws BAD_REQUEST for an invalid name, or an address that the realm does not take by now
 */
export async function acceptWithoutPassword(
  tx: Tx,
  realm: Realm,
  { email, ...account }: Pick<NewUser, 'email' | 'fullName' | 'language'>,
  nowMs: number,
): Promise<(ActionResult & { user: UserRow }) | undefined> {
  const areTheirs = and(
    eq(invitations.realmId, realm.id),
    eq(sql`lower(${invitations.email})`, email.toLowerCase()),
    eq(invitations.status, 'pending'),
  );
  const rows = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(areTheirs)
    .orderBy(desc(invitations.id))
    .for('update');
  for (const { id } of rows) {
    const found = await model.invitations.findInvitation(tx, realm, id);
    if (model.invitations.isPending(found, new Date(nowMs)))
      return await makeAccount(tx, realm, found, { ...account, nowMs });
  }
  return undefined;
}

async function makeAccount(
  tx: Tx,
  realm: Realm,
  { invitation, inviter }: model.invitations.Invitation,
  { nowMs, ...account }: Pick<NewUser, 'fullName' | 'password' | 'language'> & { nowMs: number },
): Promise<ActionResult & { user: UserRow }> {
  const { id, email, role, channelIds, groupIds, includesDefaults, notifiesInviter, welcomeText } =
    invitation;
  // A link is for asking: who accepts has shown that the address is theirs.
  if (email === null) throw new ApiError('NOT_FOUND', 'This invitation link is not valid.');
  const rules = await model.permissions.getRules(tx, realm.id);
  const actor = actorOf(inviter, realm);
  const ids = await listOfferedChannels(tx, actor, rules, channelIds);
  const groups = await listOfferedGroups(tx, actor, rules, groupIds);
  const { user, ...created } = await create(tx, {
    realm,
    ...account,
    email,
    // Safe: roles are written by this code alone.
    role: role as Role,
    channels: { withDefaults: includesDefaults, ids },
    groupIds: groups.map((group) => group.id),
    welcome: { nowMs, text: welcomeText },
  });
  await tx
    .update(invitations)
    .set({ status: 'accepted' })
    .where(hasId(invitations, realm, id));
  await revokeOthers(tx, realm, id, email);
  const notice = notifiesInviter
    ? await noticeEvents(tx, realm, { users: [inviter.id] }, ({ account: text }) =>
        text.accepted(model.messages.silentMention(user)),
      )
    : [];
  return {
    ...created,
    events: [...created.events, await invitesChangedEvent(tx, realm, [inviter.id]), ...notice],
    user,
  };
}

/** Locks what is known of the address, then the invitation, so that two invitations of one person take turns. */
async function lockPending(
  tx: Tx,
  realm: Realm,
  id: number,
  now: Date,
): Promise<model.invitations.Invitation> {
  const found = await model.invitations.findInvitation(tx, realm, id);
  model.invitations.assertPending(found, now);
  await lockName(tx, 'email', realm.id, found.invitation.email ?? '');
  await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(hasId(invitations, realm, id))
    .for('update');
  const current = await model.invitations.findInvitation(tx, realm, id);
  model.invitations.assertPending(current, now);
  return current;
}

/** Whoever has an account needs no other invitation. */
async function revokeOthers(tx: Tx, realm: Realm, id: number, email: string): Promise<void> {
  const isOther = and(
    eq(invitations.realmId, realm.id),
    eq(sql`lower(${invitations.email})`, email.toLowerCase()),
    eq(invitations.status, 'pending'),
    ne(invitations.id, id),
  );
  await tx.update(invitations).set({ status: 'revoked' }).where(isOther);
}

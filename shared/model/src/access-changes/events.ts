import { type Tx, tables } from '@parley/db';
import {
  type PendingEvent,
  events,
  to,
  type ActionResult,
  type MembershipChange,
  roles,
} from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { withRulesVersion } from '../access/channel-audiences.ts';
import { restrictsGuests, accessibleUserIds } from '../access/users.ts';
import type { Realm } from '../actor.ts';
import { isAmong } from '../ids.ts';
import type { Rules } from '../permissions/rules.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { listUserStatuses } from '../user-status/find.ts';
import { listUsers } from '../users/find.ts';
import { presentUser } from '../users/present.ts';

type RealmAddress = Pick<Realm, 'id' | 'emailDomain'>;

/** The most users that one log entry describes. */
const peoplePerEntry = 500;

/** The users whom a guest may access from now on, and those whom the guest may no longer access. */
interface AccessChange {
  gained: number[];
  lost: number[];
}

/** Events for guests who may access other users than before. Guests with the same change share an event. */
async function accessChangeEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  changes: Map<number, AccessChange>,
): Promise<{ gains: PendingEvent[]; losses: PendingEvent[] }> {
  const gains = groupByChange(changes, ({ gained }) => gained);
  const losses = groupByChange(changes, ({ lost }) => lost);
  const result = { gains: [] as PendingEvent[], losses: [] as PendingEvent[] };
  for (const { guests, ids } of gains) {
    const added = await userAddedEvents(tx, realm, guests, ids);
    result.gains.push(...added.map((pending) => withRulesVersion(rules, pending)));
  }
  for (const { guests, ids } of losses) {
    const removed = events.realmUser.remove({ user_ids: ids, realm_host: realm.emailDomain });
    result.losses.push(withRulesVersion(rules, to.users(guests, removed)));
  }
  return result;
}

function groupByChange(changes: Map<number, AccessChange>, pick: (change: AccessChange) => number[]) {
  const groups = new Map<string, { guests: number[]; ids: number[] }>();
  for (const [guest, change] of changes) {
    const ids = pick(change);
    if (ids.length === 0) continue;
    const key = ids.join(' ');
    const group = groups.get(key) ?? { guests: [], ids };
    group.guests.push(guest);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Events that send users to guests, with their profiles and their status. */
async function userAddedEvents(
  tx: Tx,
  realm: RealmAddress,
  guests: number[],
  ids: number[],
): Promise<PendingEvent[]> {
  const view = {
    viewer: { id: 0, role: roles.guest },
    emailDomain: realm.emailDomain,
    clientGravatar: false,
  };
  const pending: PendingEvent[] = [];
  for (let start = 0; start < ids.length; start += peoplePerEntry) {
    const rows = await listUsers(tx, realm.id, ids.slice(start, start + peoplePerEntry));
    const profiles = await listProfiles(
      tx,
      realm.id,
      rows.map(({ id }) => id),
    );
    const people = rows.map((row) => ({
      ...presentUser(row, { ...view, profiles }),
      is_active: row.isActive,
    }));
    pending.push(to.users(guests, events.realmUser.add({ people })));
  }
  for (const [user_id, status] of await listUserStatuses(tx, realm.id, ids)) {
    pending.push(to.users(guests, events.userStatus({ user_id, ...status })));
  }
  return pending;
}

/**
 * Adds to an action's result the events for guests who gain or lose access to users because memberships of channels
 * change. The caller must have locked the channels' conversations.
 */
export async function withAccessChanges<Result extends ActionResult>(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  result: Result,
): Promise<Result> {
  const memberships = (result.memberships ?? []).filter(({ keepsSubscriptions }) => !keepsSubscriptions);
  if (!restrictsGuests(rules) || memberships.length === 0) return result;
  const changes = await listChanges(tx, realm.id, memberships);
  const { gains, losses } = await accessChangeEvents(tx, realm, rules, changes);
  return {
    ...result,
    events: [...gains, ...result.events, ...losses],
    // How a guest sees the sender of a message depends on which users the guest may access. And whoever leaves another
    // channel beside this, or becomes a guest, does not find what these share from now on.
    changesRules: true,
  };
}

async function listChanges(
  tx: Tx,
  realmId: number,
  memberships: MembershipChange[],
): Promise<Map<number, AccessChange>> {
  const conversationIds = memberships.map(({ conversationId }) => conversationId);
  const before = await listSubscribed(tx, realmId, conversationIds);
  const after = new Map(
    memberships.map(({ conversationId, joined, left }) => {
      const ids = new Set([...(before.get(conversationId) ?? []), ...joined]);
      for (const id of left) ids.delete(id);
      return [conversationId, ids];
    }),
  );
  const memberIds = new Set(memberships.flatMap(({ joined }) => joined));
  for (const ids of before.values()) for (const id of ids) memberIds.add(id);
  const guests = await listGuestsAmong(tx, realmId, [...memberIds]);
  const accessibleElsewhere = await accessibleUserIds(tx, realmId, guests, { without: conversationIds });
  return new Map(
    guests.map((guest) => {
      const [peersBefore, peersAfter] = [listPeers(guest, before), listPeers(guest, after)];
      const isAffected = (id: number) => !accessibleElsewhere.get(guest)?.has(id);
      const difference = (ids: Set<number>, excluded: Set<number>) =>
        [...ids].filter((id) => !excluded.has(id) && isAffected(id)).sort((a, b) => a - b);
      return [
        guest,
        { gained: difference(peersAfter, peersBefore), lost: difference(peersBefore, peersAfter) },
      ];
    }),
  );
}

/** The users who share one of the channels with a guest. */
function listPeers(guest: number, members: Map<number, Set<number>>): Set<number> {
  const peers = new Set<number>();
  for (const ids of members.values()) if (ids.has(guest)) for (const id of ids) peers.add(id);
  return peers;
}

/** The ids of all subscribers by conversation id, deactivated users included. */
async function listSubscribed(
  tx: Tx,
  realmId: number,
  conversationIds: number[],
): Promise<Map<number, Set<number>>> {
  const { conversationMembers: members } = tables;
  const subscribed = new Map(conversationIds.map((id) => [id, new Set<number>()]));
  const rows = await tx
    .select({ conversationId: members.conversationId, userId: members.userId })
    .from(members)
    .where(
      and(
        eq(members.realmId, realmId),
        isAmong(members.conversationId, conversationIds),
        members.isSubscribed,
      ),
    );
  for (const { conversationId, userId } of rows) subscribed.get(conversationId)?.add(userId);
  return subscribed;
}

async function listGuestsAmong(tx: Tx, realmId: number, ids: number[]): Promise<number[]> {
  const { users } = tables;
  if (ids.length === 0) return [];
  const isGuest = and(
    eq(users.realmId, realmId),
    isAmong(users.id, ids),
    users.isActive,
    eq(users.role, roles.guest),
  );
  return (await tx.select({ id: users.id }).from(users).where(isGuest)).map(({ id }) => id);
}

/**
 * Returns events for guests who may no longer access every user (`restrict`), or may from now on (`open`). The caller
 * must have changed the setting already.
 */
export async function guestRestrictionEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  guests: number[],
  op: 'restrict' | 'open',
): Promise<PendingEvent[]> {
  if (guests.length === 0) return [];
  const { users } = tables;
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, realm.id), eq(users.isSystem, false)))
    .orderBy(users.id);
  const everyone = rows.map(({ id }) => id);
  const accessibleIds = await accessibleUserIds(tx, realm.id, guests);
  // One event for all guests carries the users whom none of them may access: usually nearly everyone.
  const accessibleToAny = new Set([...accessibleIds.values()].flatMap((ids) => [...ids]));
  const accessibleToNone = everyone.filter((id) => !accessibleToAny.has(id));
  const change = (ids: number[]): AccessChange =>
    op === 'restrict' ? { gained: [], lost: ids } : { gained: ids, lost: [] };
  const accessibleToOthers = (guest: number) =>
    everyone.filter((id) => accessibleToAny.has(id) && !accessibleIds.get(guest)?.has(id));
  const common = new Map(guests.map((guest) => [guest, change(accessibleToNone)]));
  const own = new Map(guests.map((guest) => [guest, change(accessibleToOthers(guest))]));
  const pending: PendingEvent[] = [];
  for (const changes of [common, own]) {
    const { gains, losses } = await accessChangeEvents(tx, realm, rules, changes);
    pending.push(...gains, ...losses);
  }
  return pending;
}

/** Returns events for the guests in a new direct message conversation: they may now access the other people in it. */
export async function newConversationAccessEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  people: number[],
): Promise<PendingEvent[]> {
  const guests = await listGuestsAmong(tx, realm.id, people);
  const accessibleIds = await accessibleUserIds(tx, realm.id, guests, { among: people });
  const gainedBy = (guest: number) => people.filter((id) => !accessibleIds.get(guest)?.has(id));
  const changes = new Map(guests.map((guest) => [guest, { gained: gainedBy(guest), lost: [] as number[] }]));
  return (await accessChangeEvents(tx, realm, rules, changes)).gains;
}

/**
 * Returns events for guests who become a bot's owner or cease to be: they gain or lose access to the bot. The caller
 * must have changed the bot's row already.
 */
export async function botOwnershipAccessEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  bot: { id: number },
  [ownerIdBefore, ownerIdAfter]: readonly [number | null, number | null],
): Promise<{ gains: PendingEvent[]; losses: PendingEvent[] }> {
  if (!restrictsGuests(rules)) return { gains: [], losses: [] };
  const owners = [ownerIdBefore, ownerIdAfter].filter((id) => id !== null);
  const guests = await listGuestsAmong(tx, realm.id, owners);
  const accessibleOtherwise = await accessibleUserIds(tx, realm.id, guests, {
    among: [bot.id],
    withOwnBots: false,
  });
  const gain = { gained: [bot.id], lost: [] };
  const loss = { gained: [], lost: [bot.id] };
  const changes = guests
    .filter((id) => !accessibleOtherwise.get(id)?.has(bot.id))
    .map((id) => [id, id === ownerIdAfter ? gain : loss] as const);
  return await accessChangeEvents(tx, realm, rules, new Map(changes));
}

import { type Tx, tables } from '@parley/db';
import { type PendingEvent, events, to, type ActionResult, type MembershipChange } from '@parley/protocol';
import { and, inArray, eq } from 'drizzle-orm';

import { withRulesVersion } from '../access/channel-audiences.ts';
import { restrictsGuests, accessibleUserIds } from '../access/users.ts';
import type { Realm } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { listUserStatuses } from '../user-status/find.ts';
import { listUsers } from '../users/find.ts';
import { presentUser } from '../users/present.ts';

type RealmAddress = Pick<Realm, 'id' | 'host'>;

/** How many people one entry of the log tells of. */
const peoplePerEntry = 500;

/** The users that a guest sees from now on, and those not any more. */
interface AccessChange {
  gained: number[];
  lost: number[];
}

/** What guests are told who see other people than before; who sees the same is told of at once. */
async function accessChangeEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  changes: Map<number, AccessChange>,
): Promise<{ gains: PendingEvent[]; losses: PendingEvent[] }> {
  const gains = groupByChange(changes, ({ gained }) => gained);
  const losses = groupByChange(changes, ({ lost }) => lost);
  const told = { gains: [] as PendingEvent[], losses: [] as PendingEvent[] };
  for (const { guests, ids } of gains) {
    told.gains.push(
      ...(await userAddedEvents(tx, realm, guests, ids)).map((draft) => withRulesVersion(rules, draft)),
    );
  }
  for (const { guests, ids } of losses) {
    const gone = events.realmUser.remove({ user_ids: ids, realm_host: realm.host });
    told.losses.push(withRulesVersion(rules, to.users(guests, gone)));
  }
  return told;
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

/** Users as guests see them, and what these say about themselves. */
async function userAddedEvents(
  tx: Tx,
  realm: RealmAddress,
  guests: number[],
  ids: number[],
): Promise<PendingEvent[]> {
  const view = { viewer: { id: 0, role: 600 }, realmHost: realm.host, clientGravatar: false };
  const drafts: PendingEvent[] = [];
  for (let at = 0; at < ids.length; at += peoplePerEntry) {
    const rows = await listUsers(tx, realm.id, ids.slice(at, at + peoplePerEntry));
    const profiles = await listProfiles(
      tx,
      realm.id,
      rows.map(({ id }) => id),
    );
    const people = rows.map((row) => ({
      ...presentUser(row, { ...view, profiles }),
      is_active: row.isActive,
    }));
    drafts.push(to.users(guests, events.realmUser.add({ people })));
  }
  for (const [user_id, status] of await listUserStatuses(tx, realm.id, ids)) {
    drafts.push(to.users(guests, events.userStatus({ user_id, ...status })));
  }
  return drafts;
}

/**
 * Adds to what an action returns what guests are told of the people they come to see, or see no more, as some join
 * channels and others leave them. The caller holds the channels' conversations.
 */
export async function withAccessChanges<Result extends ActionResult>(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  result: Result,
): Promise<Result> {
  const memberships = (result.memberships ?? []).filter(({ keepsSubscriptions }) => !keepsSubscriptions);
  if (!restrictsGuests(rules) || memberships.length === 0) return result;
  const changes = await listChanges(tx, memberships);
  const { gains, losses } = await accessChangeEvents(tx, realm, rules, changes);
  return {
    ...result,
    events: [...gains, ...result.events, ...losses],
    // As whom a guest knows the sender of a message depends on it.
    keepsRules: result.keepsRules === true && gains.length === 0 && losses.length === 0,
  };
}

async function listChanges(tx: Tx, memberships: MembershipChange[]): Promise<Map<number, AccessChange>> {
  const conversationIds = memberships.map(({ conversationId }) => conversationId);
  const before = await listSubscribed(tx, conversationIds);
  const after = new Map(
    memberships.map(({ conversationId, joined, left }) => {
      const ids = new Set([...(before.get(conversationId) ?? []), ...joined]);
      for (const id of left) ids.delete(id);
      return [conversationId, ids];
    }),
  );
  const concerned = new Set(memberships.flatMap(({ joined }) => joined));
  for (const ids of before.values()) for (const id of ids) concerned.add(id);
  const guests = await listGuestsAmong(tx, [...concerned]);
  const otherwise = await accessibleUserIds(tx, guests, { without: conversationIds });
  return new Map(
    guests.map((guest) => {
      const [saw, sees] = [listPeers(guest, before), listPeers(guest, after)];
      const isNews = (id: number) => !otherwise.get(guest)?.has(id);
      const difference = (one: Set<number>, other: Set<number>) =>
        [...one].filter((id) => !other.has(id) && isNews(id)).sort((a, b) => a - b);
      return [guest, { gained: difference(sees, saw), lost: difference(saw, sees) }];
    }),
  );
}

/** Whom a guest is in a channel with. */
function listPeers(guest: number, members: Map<number, Set<number>>): Set<number> {
  const peers = new Set<number>();
  for (const ids of members.values()) if (ids.has(guest)) for (const id of ids) peers.add(id);
  return peers;
}

/** Who is subscribed, whether there or gone. */
async function listSubscribed(tx: Tx, conversationIds: number[]): Promise<Map<number, Set<number>>> {
  const { conversationMembers: members } = tables;
  const found = new Map(conversationIds.map((id) => [id, new Set<number>()]));
  const rows = await tx
    .select({ conversationId: members.conversationId, userId: members.userId })
    .from(members)
    .where(and(inArray(members.conversationId, conversationIds), members.isSubscribed));
  for (const { conversationId, userId } of rows) found.get(conversationId)?.add(userId);
  return found;
}

async function listGuestsAmong(tx: Tx, ids: number[]): Promise<number[]> {
  const { users } = tables;
  if (ids.length === 0) return [];
  const these = and(inArray(users.id, ids), users.isActive, eq(users.role, 600));
  return (await tx.select({ id: users.id }).from(users).where(these)).map(({ id }) => id);
}

/** To some guests, as they stop seeing everyone, or begin to. The setting is changed already. */
export async function guestRestrictionEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  guests: number[],
  op: 'restrict' | 'open',
): Promise<PendingEvent[]> {
  if (guests.length === 0) return [];
  const { users } = tables;
  const everyone = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, realm.id), eq(users.isSystem, false)))
    .orderBy(users.id);
  const seen = await accessibleUserIds(tx, guests);
  const unseenBy = (guest: number) => everyone.map(({ id }) => id).filter((id) => !seen.get(guest)?.has(id));
  // What nobody of them sees is told to all at once: usually nearly everyone.
  const common = new Set([...seen.values()].flatMap((ids) => [...ids]));
  const hidden = everyone.map(({ id }) => id).filter((id) => !common.has(id));
  const change = (ids: number[]): AccessChange =>
    op === 'restrict' ? { gained: [], lost: ids } : { gained: ids, lost: [] };
  const own = new Map(guests.map((guest) => [guest, change(unseenBy(guest).filter((id) => common.has(id)))]));
  const all = new Map(guests.map((guest) => [guest, change(hidden)]));
  const drafts: PendingEvent[] = [];
  for (const changes of [all, own]) {
    const { gains, losses } = await accessChangeEvents(tx, realm, rules, changes);
    drafts.push(...gains, ...losses);
  }
  return drafts;
}

/** To the guests among people who write to each other for the first time: who the others are. */
export async function newConversationAccessEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  people: number[],
): Promise<PendingEvent[]> {
  const guests = await listGuestsAmong(tx, people);
  const seen = await accessibleUserIds(tx, guests, { among: people });
  const unseenBy = (guest: number) => people.filter((id) => !seen.get(guest)?.has(id));
  const changes = new Map(guests.map((guest) => [guest, { gained: unseenBy(guest), lost: [] as number[] }]));
  return (await accessChangeEvents(tx, realm, rules, changes)).gains;
}

/** To guests who own a bot from now on, or do not any more. The bot's row is changed already. */
export async function botOwnershipAccessEvents(
  tx: Tx,
  realm: RealmAddress,
  rules: Rules,
  bot: { id: number },
  [before, after]: readonly [number | null, number | null],
): Promise<{ gains: PendingEvent[]; losses: PendingEvent[] }> {
  if (!restrictsGuests(rules)) return { gains: [], losses: [] };
  const owners = [before, after].filter((id) => id !== null);
  const guests = await listGuestsAmong(tx, owners);
  const otherwise = await accessibleUserIds(tx, guests, { among: [bot.id], withOwnBots: false });
  const changes = guests
    .filter((id) => !otherwise.get(id)?.has(bot.id))
    .map(
      (id) => [id, id === after ? { gained: [bot.id], lost: [] } : { gained: [], lost: [bot.id] }] as const,
    );
  return await accessChangeEvents(tx, realm, rules, new Map(changes));
}

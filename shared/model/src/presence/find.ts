import { tables, type Tx } from '@parley/db';
import {
  type SlimPresence,
  presenceHistoryDays,
  type LegacyPresence,
  legacyPresence,
  ApiError,
} from '@parley/protocol';
import { gt, eq, and, isNull, sql } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import type { Actor, Realm } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { getUser } from '../users/find.ts';
import { publicEmail } from '../users/present.ts';
import { slimPresence } from './present.ts';

const { presences, users } = tables;

const dayMs = 86_400_000;

export interface PresenceQuery {
  /** Returns only presences that changed after this update id, however old. A first request has a negative id. */
  since?: number | undefined;
  /** A first request returns only users who were online in so many days. */
  historyDays?: number | undefined;
  nowMs: number;
}

export interface Presences {
  people: { id: number; email: string; times: SlimPresence }[];
  lastUpdateId: number;
}

/**
 * Returns the presences of active users whom the actor may access, without bots. Every change up to `lastUpdateId` is
 * among them, or was before `since`.
 */
export async function listPresences(
  tx: Tx,
  actor: Actor,
  { since = -1, historyDays = presenceHistoryDays, nowMs }: PresenceQuery,
): Promise<Presences> {
  const { realm } = actor;
  const { settings } = await getRules(tx, realm.id);
  const isNew =
    since < 0 ? gt(presences.idleAt, new Date(nowMs - historyDays * dayMs)) : gt(presences.updateId, since);
  const isEmpty = settings.presence_disabled || (since < 0 && historyDays === 0);
  const rows = isEmpty
    ? []
    : await tx
        .select({
          user: {
            id: users.id,
            email: users.email,
            emailVisibility: users.emailVisibility,
            joinedAt: users.joinedAt,
          },
          presence: presences,
        })
        .from(presences)
        .innerJoin(users, and(eq(users.realmId, presences.realmId), eq(users.id, presences.userId)))
        .where(and(eq(presences.realmId, realm.id), users.isActive, isNull(users.botType), isNew))
        .orderBy(presences.userId);
  const inaccessibleIds = await inaccessibleUserIds(
    tx,
    actor,
    rows.map(({ user }) => user.id),
  );
  const accessible = rows.filter(({ user }) => !inaccessibleIds.has(user.id));
  return {
    people: accessible.map(({ user, presence }) => ({
      id: user.id,
      email: publicEmail(user, realm.emailDomain),
      times: slimPresence(presence, user),
    })),
    lastUpdateId: rows.reduce(
      (newest, { presence }) => Math.max(newest, presence.updateId),
      Math.max(since, -1),
    ),
  };
}

/** A presence as one changed it. */
export interface PresenceChange {
  id: number;
  updateId: number;
  times: SlimPresence;
}

interface PresenceChanges {
  /** The version of the realm's rules when they were read. */
  rulesVersion: number;
  changes: PresenceChange[];
}

interface ChangeRow extends Record<'update_id' | 'active' | 'idle', number> {
  user_id: number | null;
}

/** Returns the first changes in a realm after an update id, in their order: the newest of each active person. */
export async function listChanges(
  tx: Tx,
  realmId: number,
  after: number,
  limit: number,
): Promise<PresenceChanges> {
  const [head, ...rows] = await tx.execute<ChangeRow & Record<string, number | null>>(
    sql`select * from presence_changes(${realmId}, ${after}, ${limit})`,
  );
  if (!head) throw new Error(`Realm ${realmId} does not exist.`);
  return {
    rulesVersion: head.update_id,
    changes: rows.map(({ user_id, update_id, active, idle }) => ({
      id: user_id ?? 0,
      updateId: update_id,
      times: { active_timestamp: active, idle_timestamp: idle },
    })),
  };
}

/** Returns the address by which everyone may know each active person of a realm. */
export async function listAddresses(tx: Tx, realm: Realm): Promise<Map<number, string>> {
  const rows = await tx
    .select({ id: users.id, email: users.email, emailVisibility: users.emailVisibility })
    .from(users)
    .where(and(eq(users.realmId, realm.id), users.isActive, isNull(users.botType)));
  return new Map(rows.map((user) => [user.id, publicEmail(user, realm.emailDomain)]));
}

/** Returns presences by user id: the `slim_presence` format of newer clients. */
export const presentSlim = ({ people }: Presences): Record<string, SlimPresence> =>
  Object.fromEntries(people.map(({ id, times }) => [id, times]));

/** Returns presences by email address: the format of older clients. */
export const presentLegacy = ({ people }: Presences): Record<string, LegacyPresence> =>
  Object.fromEntries(people.map(({ email, times }) => [email, legacyPresence(times)]));

/**
 * Returns the presence of one user, by id or email address.
 *
 * @throws BAD_REQUEST for a user whom the viewer may not access, who is deactivated or a bot, or who has no presence
 */
export async function getPresence(tx: Tx, viewer: Actor, which: string): Promise<SlimPresence> {
  const user = await getUser(tx, viewer, /^\d+$/.test(which) ? Number(which) : which);
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'A bot has no presence.');
  const [presence] = await tx
    .select()
    .from(presences)
    .where(isOfUser(presences, { id: user.id, realm: viewer.realm }));
  if (!presence) throw new ApiError('BAD_REQUEST', `There is no presence for ${which}.`);
  return slimPresence(presence, user);
}

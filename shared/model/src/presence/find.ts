import { tables, type Tx } from '@parley/db';
import {
  type SlimPresence,
  presenceHistoryDays,
  type LegacyPresence,
  legacyPresence,
  ApiError,
} from '@parley/protocol';
import { gt, eq, and, isNull } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { getUser } from '../users/find.ts';
import { publicEmail } from '../users/present.ts';
import { slimPresence } from './present.ts';

const { presences, users } = tables;

const dayMs = 86_400_000;

export interface PresenceQuery {
  /** Only what has changed since this update id, however long ago the users were here; negative is the first question. */
  since?: number | undefined;
  /** Only users who were here in so many days. */
  historyDays?: number | undefined;
  nowMs: number;
}

export interface Presences {
  people: { id: number; email: string; times: SlimPresence }[];
  lastUpdateId: number;
}

/** When the active people whom the actor sees were here. Every presence up to `lastUpdateId` is among them, or known already. */
export async function listPresences(
  tx: Tx,
  actor: Actor,
  { since = -1, historyDays = presenceHistoryDays, nowMs }: PresenceQuery,
): Promise<Presences> {
  const { realm } = actor;
  const { settings } = await getRules(tx, realm.id);
  const isWanted =
    since < 0 ? gt(presences.idleAt, new Date(nowMs - historyDays * dayMs)) : gt(presences.updateId, since);
  const isNothing = settings.presence_disabled || (since < 0 && historyDays === 0);
  const rows = isNothing
    ? []
    : await tx
        .select({ user: users, presence: presences })
        .from(presences)
        .innerJoin(users, eq(users.id, presences.userId))
        .where(and(eq(presences.realmId, realm.id), users.isActive, isNull(users.botType), isWanted))
        .orderBy(presences.userId);
  const unseen = await inaccessibleUserIds(
    tx,
    actor,
    rows.map(({ user }) => user.id),
  );
  const seen = rows.filter(({ user }) => !unseen.has(user.id));
  return {
    people: seen.map(({ user, presence }) => ({
      id: user.id,
      email: publicEmail(user, realm.host),
      times: slimPresence(presence, user),
    })),
    lastUpdateId: rows.reduce(
      (newest, { presence }) => Math.max(newest, presence.updateId),
      Math.max(since, -1),
    ),
  };
}

/** By user id, as newer clients read it. */
export const presentSlim = ({ people }: Presences): Record<string, SlimPresence> =>
  Object.fromEntries(people.map(({ id, times }) => [id, times]));

/** By address, as older clients read it. */
export const presentLegacy = ({ people }: Presences): Record<string, LegacyPresence> =>
  Object.fromEntries(people.map(({ email, times }) => [email, legacyPresence(times)]));

/** When one person was here, whether by id or by address. */
export async function getPresence(tx: Tx, viewer: Actor, which: string): Promise<SlimPresence> {
  const user = await getUser(tx, viewer, /^\d+$/.test(which) ? Number(which) : which);
  if (!user.isActive) throw new ApiError('BAD_REQUEST', 'No such user');
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'Presence is not supported for bot users.');
  const [presence] = await tx.select().from(presences).where(eq(presences.userId, user.id));
  if (!presence) throw new ApiError('BAD_REQUEST', `No presence data for ${which}`);
  return slimPresence(presence, user);
}

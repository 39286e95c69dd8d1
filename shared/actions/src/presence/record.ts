import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ephemeralEvents, ephemeralOnly, presenceTimes } from '@parley/protocol';
import { eq, sql, and } from 'drizzle-orm';

const { users } = tables;

/** In an organization with more active users no presence event is published; clients ask for presence instead. */
const audienceMax = 100;

/** A user who was last active longer ago has been away. It is 10 seconds less than when others show them as offline. */
const awayAfterMs = (presenceTimes.offlineThreshold - presenceTimes.pingInterval - 10) * 1000;

/**
 * Records that the actor's client is running, and whether the actor is active. Publishes the actor's presence when they
 * come online.
 *
 * @throws BAD_REQUEST for a bot
 */
export async function record(
  tx: Tx,
  { actor, isActive, nowMs }: { actor: Actor; isActive: boolean; nowMs: number },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  if (!actor.settings.presence_enabled) return ephemeralOnly();
  const kind = isActive ? 'active' : 'idle';
  const written = await setPresence(tx, actor, kind, nowMs, presenceTimes.updateSpacing);
  const isBack = isActive && written && nowMs - (written.beforeAt?.getTime() ?? 0) > awayAfterMs;
  if (!isBack) return ephemeralOnly();
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  if (rules.settings.presence_disabled) return ephemeralOnly();
  const others = await listAudience(tx, actor, rules, audienceMax + 1);
  return others.length > audienceMax
    ? ephemeralOnly()
    : ephemeralOnly({ users: others, event: presenceEvent(actor, written, nowMs) });
}
record.actionName = 'presence.record' as const;

/** Shows the actor's presence to others, or hides it. All of them get the event, whatever their number. */
export async function setVisibility(
  tx: Tx,
  actor: Actor,
  isShown: boolean,
  nowMs: number,
): Promise<ActionResult> {
  const written = isShown
    ? await setPresence(tx, actor, 'active', nowMs, 0)
    : await setPresence(tx, actor, 'hidden', nowMs - (presenceTimes.offlineThreshold + 1) * 1000, 0);
  if (!written) return ephemeralOnly();
  const others = await listAudience(tx, actor, await model.permissions.getRules(tx, actor.realm.id));
  return ephemeralOnly({ users: others, event: presenceEvent(actor, written, nowMs) });
}

const dayOf = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10);

/** Returns whether an actor is active for the first time on a day, as far as the actor's row was read. */
export const isFirstActivity = ({ lastActiveOn }: Actor, nowMs: number): boolean =>
  lastActiveOn === null || lastActiveOn < dayOf(nowMs);

/** Records the day on which the actor was last active. `POST /register` lists users by it. */
export async function recordActivity(
  tx: Tx,
  { actor: { id, realm }, nowMs }: { actor: Actor; nowMs: number },
): Promise<ActionResult> {
  const today = dayOf(nowMs);
  const isNew = sql`${users.lastActiveOn} is distinct from ${today}::date`;
  await tx
    .update(users)
    .set({ lastActiveOn: today })
    .where(and(hasId(users, realm, id), isNew));
  return ephemeralOnly();
}
recordActivity.actionName = 'presence.recordActivity' as const;

interface WrittenPresence {
  activeAt: Date | null;
  idleAt: Date | null;
  /** When the user had been active before this write. */
  beforeAt: Date | null;
}

async function setPresence(
  tx: Tx,
  actor: Actor,
  kind: 'active' | 'idle' | 'hidden',
  atMs: number,
  spacingSeconds: number,
): Promise<WrittenPresence | null> {
  const [row] = await tx.execute<Record<'active' | 'idle' | 'before', number | null>>(sql`
    select extract(epoch from active_at)::float8 as active, extract(epoch from idle_at)::float8 as idle,
      extract(epoch from before_at)::float8 as before
    from set_presence(${actor.id}, ${actor.realm.id}, ${kind}, to_timestamp(${atMs / 1000}),
      make_interval(secs => ${spacingSeconds}))`);
  if (!row) return null;
  const date = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));
  return { activeAt: date(row.active), idleAt: date(row.idle), beforeAt: date(row.before) };
}

function presenceEvent(actor: Actor, written: WrittenPresence, nowMs: number) {
  return ephemeralEvents.presence({
    user_id: actor.id,
    email: model.users.publicEmail(actor, actor.realm.emailDomain),
    server_timestamp: nowMs / 1000,
    times: model.presence.slimPresence(written, actor),
  });
}

/** Active users who may see the actor. */
async function listAudience(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  limit = 2_147_483_647,
): Promise<number[]> {
  const activeUsers = and(eq(users.realmId, actor.realm.id), users.isActive, eq(users.isSystem, false));
  const rows = await tx.select({ id: users.id }).from(users).where(activeUsers).limit(limit);
  const hidden = new Set(await model.access.guestsWithoutAccess(tx, actor.realm.id, actor, rules));
  return rows.map(({ id }) => id).filter((id) => !hidden.has(id));
}

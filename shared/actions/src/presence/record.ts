import { type Tx, tables } from '@parley/db';
import { assertHuman } from '@parley/model';
import {
  type Actor,
  getRules,
  publicEmail,
  slimPresence,
  type Rules,
  guestsWithoutAccess,
} from '@parley/model';
import { type ActionResult, ephemeralEvents, ephemeralOnly, presenceTimes } from '@parley/protocol';
import { eq, sql, and } from 'drizzle-orm';

const { users } = tables;

/** In an organization with more active users nobody is told; clients ask. */
const audienceMax = 100;

/** Who was last active longer ago has been away: just short of what others take for offline. */
const awayAfterMs = (presenceTimes.offlineThreshold - presenceTimes.pingInterval - 10) * 1000;

/** The actor's client is there, and the actor with it or not. Tells the others when the actor comes online. */
export async function record(
  tx: Tx,
  actor: Actor,
  { isActive, nowMs }: { isActive: boolean; nowMs: number },
): Promise<ActionResult> {
  assertHuman(actor);
  await recordActivity(tx, actor, nowMs);
  if (!actor.settings.presence_enabled) return ephemeralOnly();
  const kind = isActive ? 'active' : 'idle';
  const written = await setPresence(tx, actor, kind, nowMs, presenceTimes.updateSpacing);
  const isBack = isActive && written && nowMs - (written.beforeAt?.getTime() ?? 0) > awayAfterMs;
  if (!isBack) return ephemeralOnly();
  const rules = await getRules(tx, actor.realm.id);
  if (rules.settings.presence_disabled) return ephemeralOnly();
  const others = await listAudience(tx, actor, rules, audienceMax + 1);
  return others.length > audienceMax
    ? ephemeralOnly()
    : ephemeralOnly({ users: others, event: presenceEvent(actor, written, nowMs) });
}

/** The actor lets the others see when they are there, or does so no more. Whatever their number, they are told. */
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
  const others = await listAudience(tx, actor, await getRules(tx, actor.realm.id));
  return ephemeralOnly({ users: others, event: presenceEvent(actor, written, nowMs) });
}

/** The day on which a user was here last: others are listed by it. */
export async function recordActivity(
  tx: Tx,
  { id, lastActiveOn }: Actor,
  nowMs: number,
): Promise<ActionResult> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  if (lastActiveOn === null || lastActiveOn < today) {
    await tx.update(users).set({ lastActiveOn: today }).where(eq(users.id, id));
  }
  return ephemeralOnly();
}

interface WrittenPresence {
  activeAt: Date | null;
  idleAt: Date | null;
  /** When the user had been active before. */
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
    email: publicEmail(actor, actor.realm.host),
    server_timestamp: nowMs / 1000,
    times: slimPresence(written, actor),
  });
}

/** Everyone who is here and sees the actor. */
async function listAudience(tx: Tx, actor: Actor, rules: Rules, limit = 2_147_483_647): Promise<number[]> {
  const these = and(eq(users.realmId, actor.realm.id), users.isActive, eq(users.isSystem, false));
  const rows = await tx.select({ id: users.id }).from(users).where(these).limit(limit);
  const blind = new Set(await guestsWithoutAccess(tx, actor.realm.id, actor, rules));
  return rows.map(({ id }) => id).filter((id) => !blind.has(id));
}

import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, limits } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { forgetOldest, lockOwner } from './owner.ts';
import { type Subscription, parseSubscription } from './parse-subscription.ts';

const { pushTokens, sessions } = tables;

export interface NewSubscription extends Subscription {
  /** What its owner knows the browser by. */
  name: string;
  /** When its service takes notifications no more; null if that is not known. */
  expiresAtMs: number | null;
  /** Until when its owner does not want to be disturbed; null for now. */
  pausedUntilMs: number | null;
  /** The session that registers it, and with which it ends; null for a program with an API key. */
  sessionHash: string | null;
  nowMs: number;
}

/**
 * Registers a browser of the actor for notifications, once, however often it is asked. One that another account of the
 * organization has used is the actor's from now on. Of very many browsers, those that were registered first are forgotten.
 *
 * @throws BAD_REQUEST for a bot, and for what is no subscription
 * @throws UNAUTHORIZED, UNAUTHENTICATED_USER for an account, a key or a session that has ended at this moment
 */
export async function subscribe(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & NewSubscription,
): Promise<ActionResult & { id: number }> {
  model.permissions.assertHuman(actor);
  const { endpoint, p256dh, auth } = parseSubscription(input);
  await lockOwner(tx, actor);
  if (input.sessionHash !== null) await lockSession(tx, actor, input.sessionHash);
  const keys = { p256dh, auth, name: input.name, sessionHash: input.sessionHash };
  const times = {
    registeredAt: new Date(input.nowMs),
    expiresAt: input.expiresAtMs === null ? null : new Date(input.expiresAtMs),
    pausedUntil: input.pausedUntilMs === null ? null : new Date(input.pausedUntilMs),
  };
  const row = { userId: actor.id, token: endpoint, ...keys, ...times };
  const id = await write(tx, actor, row);
  await forgetOldest(tx, actor, { areBrowsers: true, max: limits.webPushPerUser });
  return { events: [], id };
}
subscribe.actionName = 'pushTokens.subscribe' as const;

/** Writes the row of a browser; returns its id. Of those who register the same at this moment, the last has it. */
async function write(
  tx: Tx,
  { realm }: Actor,
  row: Omit<typeof pushTokens.$inferInsert, 'realmId' | 'service'>,
): Promise<number> {
  const at = (time: Date | null | undefined) => sql`${time?.toISOString() ?? null}::timestamptz`;
  const [written] = await tx.execute<{ id: number }>(sql`
    insert into push_tokens (realm_id, user_id, service, token, p256dh, auth, name, session_hash, registered_at,
      expires_at, paused_until)
    values (${realm.id}, ${row.userId}, 'web', ${row.token}, ${row.p256dh}, ${row.auth}, ${row.name},
      ${row.sessionHash}, ${at(row.registeredAt)}, ${at(row.expiresAt)}, ${at(row.pausedUntil)})
    on conflict (realm_id, service, md5(token)) do update
      set user_id = excluded.user_id, token = excluded.token, p256dh = excluded.p256dh, auth = excluded.auth,
        name = excluded.name, session_hash = excluded.session_hash, registered_at = excluded.registered_at,
        expires_at = excluded.expires_at, paused_until = excluded.paused_until
    returning id::float8 as id`);
  if (!written) throw new Error('An insert returned no row.');
  return written.id;
}

/** Keeps the session from ending before the browser is registered: ending it, it takes the browser along. */
async function lockSession(tx: Tx, actor: Actor, tokenHash: string): Promise<void> {
  const [session] = await tx
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(and(isOfUser(sessions, actor), eq(sessions.tokenHash, tokenHash)))
    .for('key share');
  if (!session) throw new ApiError('UNAUTHENTICATED_USER', 'Your session has ended. Log in again.');
}

/**
 * Forgets a browser of the actor.
 *
 * @throws BAD_REQUEST for a bot, and for a browser that is not registered, or is another's
 */
export async function unsubscribe(
  tx: Tx,
  { actor, id }: { actor: Actor; id: number },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const removed = await tx
    .delete(pushTokens)
    .where(and(isOfUser(pushTokens, actor), eq(pushTokens.id, id), eq(pushTokens.service, 'web')))
    .returning({ id: pushTokens.id });
  if (removed.length === 0) throw new ApiError('BAD_REQUEST', 'No browser of yours has this id.');
  return { events: [] };
}
unsubscribe.actionName = 'pushTokens.unsubscribe' as const;

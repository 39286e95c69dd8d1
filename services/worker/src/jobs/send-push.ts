import * as actions from '@parley/actions';
import { backoffMs } from '@parley/kit';
import * as model from '@parley/model';
import type { Device, PushNotification } from '@parley/push';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { pushNotification, removalNotification } from '../notifications/push-notification.ts';

type Claim = actions.notifications.Claim;

/** It is tried for a day. */
const backoff = { firstMs: 2000, maxMs: 600_000 };

/** Sends a notification to a user's phones and browsers, or tells them to show messages no more. */
export const sendPushJob: OnDemandJob = {
  name: 'send-push',
  concurrency: 32,
  async run(deps, id, realmId) {
    const { engine, site, clock } = deps;
    const now = new Date(clock.nowMs());
    // A node of an older version does not say the realm. Whoever looks for what is due does, a second later.
    if (realmId === undefined) return { sent: 0 };
    const db = await engine.dbOf(realmId);
    const claim = await actions.notifications.claim(db, { realmId, id }, now);
    if (!claim) return { sent: 0 };
    const user = await engine.snapshotAt(realmId, (tx) =>
      model.notifications.findNotifiedUser(tx, site, claim),
    );
    const notification = user && (await compose(deps, user, claim, now));
    if (!notification) {
      await actions.notifications.finish(db, claim);
      return { sent: 0 };
    }
    return { sent: await sendToDevices(deps, claim, notification) };
  },
};

/** The notification; undefined if there is nothing to tell any more. */
async function compose(
  { engine }: JobDeps,
  user: model.notifications.NotifiedUser,
  claim: Claim,
  now: Date,
): Promise<PushNotification | undefined> {
  if (claim.kind === 'removal') return removalNotification(user, claim.messageIds);
  const { messageIds } = claim;
  const {
    messages: [message],
  } = await engine.snapshotAt(claim.realmId, (tx) =>
    model.notifications.findWantedMessages(tx, user.actor, { messageIds, by: 'push', max: 1, now }),
  );
  if (!message) return undefined;
  // Recorded before it is sent: whoever reads the message from now on has it removed.
  await actions.notifications.recordPushed(await engine.dbOf(claim.realmId), claim, now);
  return await pushNotification(user, message);
}

type Registered = Device & { id: number };

/** The devices that are left, as far as the server is set up for their services. */
async function devicesOf({ engine, push, secrets }: JobDeps, claim: Claim, now: Date): Promise<Registered[]> {
  const db = await engine.dbOf(claim.realmId);
  const owner = { id: claim.userId, realm: { id: claim.realmId } };
  const rows = (await model.pushTokens.listDevices(db, owner, now)).filter(
    ({ id, service }) => push.services.has(service) && (claim.deviceIds?.includes(id) ?? true),
  );
  if (rows.every(({ service }) => service !== 'web')) return rows.flatMap((row) => asDevice(row, null));
  const vapid = await actions.vapidKeys.ensure(db, { realmId: claim.realmId, secrets });
  return rows.flatMap((row) => asDevice(row, vapid));
}

function asDevice(
  { service, p256dh, auth, ...row }: Awaited<ReturnType<typeof model.pushTokens.listDevices>>[number],
  vapid: actions.vapidKeys.VapidKeys | null,
): Registered[] {
  if (service !== 'web') return [{ service, ...row }];
  return vapid && p256dh !== null && auth !== null
    ? [{ ...row, service, keys: { p256dh, auth }, vapid }]
    : [];
}

/** Sends to the devices that are left, and sees to it that those that could not be reached get it later. */
async function sendToDevices(deps: JobDeps, claim: Claim, notification: PushNotification): Promise<number> {
  const { engine, push, clock, logger, sentLately } = deps;
  const { realmId } = claim;
  const db = await engine.dbOf(realmId);
  const startedMs = clock.nowMs();
  const devices = await devicesOf(deps, claim, new Date(startedMs));
  const outcomes = await Promise.all(
    devices.map(async (device) => {
      const what = ['push', device.service, device.token, claim.ids, notification];
      if (await sentLately.has(...what)) return { device, outcome: { kind: 'sent lately' } as const };
      const outcome = await push.send(device, notification);
      if (outcome.kind === 'sent') await sentLately.add(...what);
      return { device, outcome };
    }),
  );
  const remaining: number[] = [];
  let waitMs = backoffMs(claim.attempts, backoff);
  for (const { device, outcome } of outcomes) {
    if (outcome.kind === 'gone')
      await actions.pushTokens.removeGone(db, { realmId, id: device.id, knownAt: new Date(startedMs) });
    if (outcome.kind === 'refused')
      logger.warn({ reason: outcome.reason }, 'a push notification was refused');
    if (outcome.kind === 'later') {
      remaining.push(device.id);
      waitMs = Math.max(waitMs, outcome.retryAfterMs);
      logger.debug(
        { reason: outcome.reason, attempts: claim.attempts },
        'a push notification failed and is retried later',
      );
    }
  }
  if (remaining.length === 0) await actions.notifications.finish(db, claim);
  else await actions.notifications.retry(db, claim, new Date(clock.nowMs() + waitMs), remaining);
  return outcomes.filter(({ outcome }) => outcome.kind === 'sent').length;
}

import type { Realm } from '@parley/model';
import { ApiError } from '@parley/protocol';
import type { PushNotification, PushOutcome } from '@parley/push';

/** For how long a test is worth showing. */
const validSeconds = 600;

/** Returns a notification that shows that notifications arrive. */
export function testNotification(
  { realm, realmName, userId }: { realm: Realm; realmName: string; userId: number },
  nowMs: number,
): PushNotification {
  const account = {
    event: 'test',
    server: realm.host,
    realm_id: realm.id,
    realm_name: realmName,
    realm_uri: realm.url,
    realm_url: realm.url,
    user_id: userId,
    time: Math.floor(nowMs / 1000),
  };
  return {
    alert: {
      title: 'Test notification',
      body: `Notifications of ${realmName} (${realm.url}) reach this device.`,
    },
    // The name that apps know the fields by.
    fields: { web: {}, apns: { zulip: account }, fcm: account },
    validSeconds,
  };
}

/**
 * Refuses what was not sent.
 *
 * @throws INVALID_REMOTE_PUSH_DEVICE_TOKEN FAILED_TO_CONNECT_BOUNCER INTERNAL_SERVER_ERROR_ON_BOUNCER
 */
export function assertSent(outcome: PushOutcome): void {
  if (outcome.kind === 'sent') return;
  if (outcome.kind === 'gone') {
    const msg = 'The push service does not know this device any more. It was forgotten here, too.';
    throw new ApiError('INVALID_REMOTE_PUSH_DEVICE_TOKEN', msg);
  }
  if (outcome.kind === 'later' && !outcome.isReached) {
    throw new ApiError(
      'FAILED_TO_CONNECT_BOUNCER',
      'The push service could not be reached. Please try again.',
    );
  }
  throw new ApiError('INTERNAL_SERVER_ERROR_ON_BOUNCER', 'The push service did not take the notification.');
}

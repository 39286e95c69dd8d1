import { connection } from '../../data/session/session.ts';
import { deviceName } from './device-name.ts';

/** A browser of the person that is notified while no page of theirs is open, as the server lists it. */
export interface NotifiedBrowser {
  id: number;
  name: string;
  registered_timestamp: number;
}

interface Listed {
  /** Null where the server sends browsers nothing. */
  public_key: string | null;
  subscriptions: NotifiedBrowser[];
}

const path = '/users/me/web_push_subscriptions';

export const listBrowsers = (): Promise<Listed> => connection().get<Listed>(path);

export const removeBrowser = (id: number): Promise<unknown> => connection().delete(`${path}/${id}`);

/** The service worker of this page, if it is there and can be pushed to; null otherwise. */
export async function pushedRegistration(): Promise<ServiceWorkerRegistration | null> {
  const registration = await workerRegistration();
  return registration && 'pushManager' in registration ? registration : null;
}

/** The service worker of this page, once it works; null if there is none. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active ? registration : null;
}

/**
 * Subscribes this browser, and registers it with the server; returns the id of its registration. A subscription that was
 * made with another key takes nothing from this server.
 *
 * @throws RequestFailed, and what the browser throws that cannot reach its push service
 */
export async function subscribeBrowser(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
  pausedUntilMs: number | null,
): Promise<number> {
  const kept = await pushManager.getSubscription();
  const isOurs = kept !== null && keyOf(kept) === publicKey;
  if (kept && !isOurs) await kept.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const subscription = isOurs ? kept : await pushManager.subscribe(options);
  const { endpoint, keys = {} } = subscription.toJSON();
  const { id } = await connection().post<{ id: number }>(path, {
    endpoint: endpoint ?? '',
    p256dh: keys['p256dh'] ?? '',
    auth: keys['auth'] ?? '',
    name: deviceName(),
    ...(pausedUntilMs !== null && { paused_until_timestamp: Math.ceil(pausedUntilMs / 1000) }),
    ...(subscription.expirationTime && {
      expiration_timestamp: Math.floor(subscription.expirationTime / 1000),
    }),
  });
  return id;
}

/** The key that a subscription was made with, in base64url; null if the browser does not say. */
function keyOf({ options }: PushSubscription): string | null {
  const { applicationServerKey: key } = options;
  if (!key) return null;
  const text = btoa(String.fromCodePoint(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
}

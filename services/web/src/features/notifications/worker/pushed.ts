import { dataOf, describe } from '../describe.ts';
import type { WorkerScope } from './scope.ts';
import { type Told, readTold } from './told.ts';

/**
 * Shows what the server pushes, or removes it. Whoever has a page in front of them is told by that: browsers permit a push
 * that shows nothing then, except Safari, which ends the subscription of those who do it.
 */
export async function receive(scope: WorkerScope, text: string): Promise<void> {
  const told = readTold(text);
  if (!told) return;
  if (told.kind === 'remove') await remove(scope, told.ids);
  else await show(scope, told);
  await showBadge(scope);
}

async function show(scope: WorkerScope, { message }: Extract<Told, { kind: 'message' }>): Promise<void> {
  const { registration } = scope;
  const { title, options } = describe(message);
  const isInFront = (await pagesOf(scope)).some((page) => page.focused && page.visibilityState === 'visible');
  if (isInFront && !(await mustShow(registration))) return;
  const [shown] = await registration.getNotifications({ tag: options.tag });
  // A page that is open was faster.
  if (shown && (dataOf(shown)?.id ?? 0) >= message.id) return;
  const later: NotificationOptions & { renotify?: boolean } = { ...options, renotify: shown !== undefined };
  await registration.showNotification(title, later);
}

async function mustShow({ pushManager }: ServiceWorkerRegistration): Promise<boolean> {
  const subscription = await pushManager.getSubscription();
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith('.apple.com');
}

async function remove({ registration }: WorkerScope, ids: ReadonlySet<number>): Promise<void> {
  for (const notification of await registration.getNotifications()) {
    if (ids.has(dataOf(notification)?.id ?? 0)) notification.close();
  }
}

/** While a page is open, that shows how much is unread. */
async function showBadge(scope: WorkerScope): Promise<void> {
  if ((await pagesOf(scope)).length > 0) return;
  const { length } = await scope.registration.getNotifications();
  await (length > 0 ? scope.navigator.setAppBadge?.(length) : scope.navigator.clearAppBadge?.());
}

/** Opens the message of a notification: in a page that is there, or in a new one. */
export async function openMessage(scope: WorkerScope, notification: Notification): Promise<void> {
  const fragment = dataOf(notification)?.fragment ?? '';
  notification.close();
  const pages = await pagesOf(scope);
  const page = pages.find(({ focused }) => focused) ?? pages[0];
  if (!page) {
    await scope.clients.openWindow(`/${fragment}`);
    return;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of a worker has no other origin
  page.postMessage({ open: fragment });
  await page.focus();
}

const pagesOf = ({ clients }: WorkerScope) => clients.matchAll({ type: 'window', includeUncontrolled: true });

import { effect, signal } from '@preact/signals';

import { session } from '../../data/session/session.ts';
import { askPermission, permission } from './permission.ts';
import {
  listBrowsers,
  pushedRegistration,
  removeBrowser,
  subscribeBrowser,
  workerRegistration,
} from './push-service.ts';

/** What this device is set to, in the browser itself: it is nobody else's business. */
interface Device {
  /** Whether its owner has turned notifications off here. */
  isOff: boolean;
  /** Until when its owner does not want to be disturbed. */
  pausedUntilMs: number | null;
  /** Its registration for what comes while no page is open; null if there is none. */
  browserId: number | null;
}

const key = 'parley-notifications';
const initial: Device = { isOff: false, pausedUntilMs: null, browserId: null };

function read(): Device {
  try {
    return { ...initial, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Device>) };
  } catch {
    return initial;
  }
}

/** This device, as components show it. */
export const device = signal<Device>(read());

function save(change: Partial<Device>): void {
  // Another tab may have changed something else.
  device.value = { ...read(), ...change };
  localStorage.setItem(key, JSON.stringify(device.value));
}

/** Whether nothing is to be shown here at this moment. */
export function isQuiet(nowMs = Date.now()): boolean {
  const { isOff, pausedUntilMs } = read();
  return isOff || (pausedUntilMs !== null && pausedUntilMs > nowMs);
}

/**
 * Notifies on this device: of what comes while a page is open, and where the browser can, also of what comes later.
 *
 * @throws RequestFailed, and what the browser throws that cannot reach its push service
 */
export async function turnOn(): Promise<void> {
  await askPermission();
  if (permission.peek() !== 'granted') return;
  save({ isOff: false });
  await register();
}

async function register(): Promise<void> {
  const registration = await pushedRegistration();
  if (!registration) return;
  const { public_key } = await listBrowsers();
  if (public_key === null) return;
  save({ browserId: await subscribeBrowser(registration, public_key, device.peek().pausedUntilMs) });
}

/** Notifies on this device no more. */
export async function turnOff(): Promise<void> {
  const { browserId } = device.peek();
  await forgetHere();
  save({ isOff: true, browserId: null });
  if (browserId !== null) await removeBrowser(browserId);
}

/** Does not disturb until a time, or not at all any more if that is null. */
export async function pause(untilMs: number | null): Promise<void> {
  save({ pausedUntilMs: untilMs });
  if (device.peek().browserId !== null) await register();
}

/** Ends the subscription in the browser, and removes what is shown. */
async function forgetHere(): Promise<void> {
  const registration = await workerRegistration();
  if (!registration) return;
  for (const notification of await registration.getNotifications()) notification.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
  await navigator.clearAppBadge?.();
}

/** Registers this device again if the server does not know it any more: its key, or the session, is another one. */
async function keepRegistered(): Promise<void> {
  if (device.peek().isOff || permission.peek() !== 'granted') return;
  const registration = await pushedRegistration();
  if (!(await registration?.pushManager.getSubscription())) return;
  await register();
}

/** Sees to it that whoever is signed in, and nobody else, is notified here. */
export function followSession(): void {
  effect(() => {
    const { kind } = session.value;
    if (kind === 'member') void keepRegistered().catch(() => undefined);
    if (kind !== 'signed-out') return;
    // The server has forgotten the device with its session.
    save({ browserId: null });
    void forgetHere().catch(() => undefined);
  });
}

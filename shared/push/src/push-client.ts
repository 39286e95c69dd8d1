import type { DeviceService, PushService } from '@parley/protocol';

export interface Phone {
  service: PushService;
  /** What the service calls the device. */
  token: string;
  /** The id of the app, on a device of Apple's. */
  appId: string | null;
}

export interface BrowserDevice {
  service: 'web';
  /** The address at which the browser's push service takes notifications for it. */
  token: string;
  /** With which notifications are encrypted, in base64url. */
  keys: { p256dh: string; auth: string };
  /** With which the organization signs, in base64url. */
  vapid: { publicKey: string; privateKey: string };
}

export type Device = Phone | BrowserDevice;

export interface PushNotification {
  /**
   * What an Apple device shows; null for what only the app is told. Apps on Android show what they make of `fields`.
   */
  alert: { title: string; subtitle?: string; body: string } | null;
  /** What the app is told. Android takes each field as text, and a browser 3993 bytes of JSON. */
  fields: Record<DeviceService, Readonly<Record<string, unknown>>>;
  /** Of notifications with the same, an Apple device shows one. */
  collapseId?: string;
  /** Of notifications with the same that wait for a browser, its service keeps the last. */
  topic?: string;
  /** For how long the service tries to reach a device that is off. */
  validSeconds: number;
}

/**
 * What became of a notification. `sent`: the service has it. `gone`: the service does not know the device any more.
 * `later`: the service cannot be reached or is too busy, for `retryAfterMs` if it says so. `refused`: the service will
 * never take it.
 */
export type PushOutcome =
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'later'; isReached: boolean; retryAfterMs: number; reason: string }
  | { kind: 'refused'; reason: string };

/** A client of one service. */
export interface ServiceClient<Served extends Device = Phone> extends AsyncDisposable {
  /** Hands a notification over to the service, in 10 seconds at most. Never rejects. */
  send(device: Served, notification: PushNotification): Promise<PushOutcome>;
}

export interface PushClient extends AsyncDisposable {
  /** The services that the server is set up for. */
  services: ReadonlySet<DeviceService>;
  /** Hands a notification over to the device's service, in 10 seconds at most. Never rejects. */
  send(device: Device, notification: PushNotification): Promise<PushOutcome>;
}

/** How long a service may take, connecting included. */
export const timeoutMs = 10_000;

export const unreachable = (error: unknown): PushOutcome => ({
  kind: 'later',
  isReached: false,
  retryAfterMs: 0,
  reason: error instanceof Error ? error.message : String(error),
});

/** Returns the time in a Retry-After header, in milliseconds: seconds, or a date. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number {
  if (header === null || header === undefined || header === '') return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : 0;
}

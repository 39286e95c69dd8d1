import type { PushService } from '@parley/protocol';

export interface Device {
  service: PushService;
  /** What the service calls the device. */
  token: string;
  /** The id of the app, on a device of Apple's. */
  appId: string | null;
}

export interface PushNotification {
  /**
   * What an Apple device shows; null for what only the app is told. Apps on Android show what they make of `fields`.
   */
  alert: { title: string; subtitle?: string; body: string } | null;
  /** What the app is told. Android takes each field as text. */
  fields: Record<'apns' | 'fcm', Readonly<Record<string, unknown>>>;
  /** Of notifications with the same, an Apple device shows one. */
  collapseId?: string;
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
export interface ServiceClient extends AsyncDisposable {
  /** Hands a notification over to the service, in 10 seconds at most. Never rejects. */
  send(device: Device, notification: PushNotification): Promise<PushOutcome>;
}

export interface PushClient extends AsyncDisposable {
  /** The services that the server is set up for. */
  services: ReadonlySet<PushService>;
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

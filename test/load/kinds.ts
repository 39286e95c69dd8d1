/** What clients ask, besides polling. */
export const requestKinds = [
  'presence',
  'uploads',
  'messages',
  'flags',
  'send',
  'register',
  'properties',
] as const;

export type RequestKind = (typeof requestKinds)[number];

/** What is timed: each kind of request from the moment for which it was meant, and each message from there to each who hears it. */
export const timedKinds = ['deliveries', ...requestKinds, 'returns'] as const;

export type TimedKind = (typeof timedKinds)[number];

/** Requests a second. */
export type Rates = Partial<Record<RequestKind, number>>;

/** Shares of all requests that a busy server is asked, in percent. Polls are what they are in proportion to. */
const profile = {
  events: 44,
  presence: 36,
  uploads: 5,
  messages: 3,
  flags: 1.5,
  send: 0.5,
  register: 0.3,
  properties: 0.04,
} as const;

/** Seconds between two polls of a client whose polls end in a heartbeat four times in five. */
const secondsPerPoll = 40;

/** What so many clients ask each second, by the profile; with factors for kinds that are asked more or less. */
export function profiled(pollers: number, factors: Rates = {}): Rates {
  const perShare = pollers / secondsPerPoll / profile.events;
  return Object.fromEntries(
    requestKinds.map((kind) => [kind, profile[kind] * perShare * (factors[kind] ?? 1)]),
  );
}

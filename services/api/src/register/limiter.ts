import { notReady } from '@parley/protocol';
import { gauge } from '@parley/telemetry';
import pLimit from 'p-limit';

const registrations = gauge('parley_registrations', 'Registrations that run, and that wait for their turn', [
  'state',
]);

export interface RegistrationLimits {
  /** The most registrations that run at once. */
  atOnce: number;
  /** The most registrations that wait for their turn. More are refused with SERVER_NOT_READY. */
  waitingMax: number;
}

/** Limits how many registrations run at once: after an outage all clients of a realm register at the same time. */
export type RegistrationLimiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createRegistrationLimiter({
  atOnce,
  waitingMax,
}: RegistrationLimits): RegistrationLimiter & Disposable {
  const limit = pLimit(atOnce);
  const measuring = registrations.watch((set) => {
    set(limit.activeCount, { state: 'running' });
    set(limit.pendingCount, { state: 'waiting' });
  });
  const limiter: RegistrationLimiter = async (work) => {
    if (limit.pendingCount >= waitingMax) throw notReady('registrations');
    return await limit(work);
  };
  return Object.assign(limiter, { [Symbol.dispose]: () => measuring[Symbol.dispose]() });
}

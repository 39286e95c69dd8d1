import { notReady } from '@parley/protocol';
import pLimit from 'p-limit';

export interface RegistrationLimits {
  /** The most registrations that run at once. */
  atOnce: number;
  /** The most registrations that wait for their turn. More are refused with SERVER_NOT_READY. */
  waitingMax: number;
}

/** Limits how many registrations run at once: after an outage all clients of a realm register at the same time. */
export type RegistrationLimiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createRegistrationLimiter({ atOnce, waitingMax }: RegistrationLimits): RegistrationLimiter {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waitingMax) throw notReady();
    return await limit(work);
  };
}

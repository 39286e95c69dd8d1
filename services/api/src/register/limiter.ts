import { notReady } from '@parley/protocol';
import pLimit from 'p-limit';

export interface RegistrationLimits {
  /** How many registrations run at once. */
  atOnce: number;
  /** How many may wait for their turn; more are refused with SERVER_NOT_READY. */
  waitingMax: number;
}

/** Bounds registrations, which a realm asks for all at once when everybody comes back after an outage. */
export type RegistrationLimiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createRegistrationLimiter({ atOnce, waitingMax }: RegistrationLimits): RegistrationLimiter {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waitingMax) throw notReady();
    return await limit(work);
  };
}

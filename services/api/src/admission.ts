import { notReady } from '@parley/protocol';
import pLimit from 'p-limit';

export interface AdmissionLimits {
  /** How many run at once. */
  atOnce: number;
  /** How many may wait for their turn; more are refused with SERVER_NOT_READY. */
  waitingMax: number;
}

/** Bounds work that a realm may ask for all at once, as it does when everybody comes back after an outage. */
export type Admission = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createAdmission({ atOnce, waitingMax }: AdmissionLimits): Admission {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waitingMax) throw notReady();
    return await limit(work);
  };
}

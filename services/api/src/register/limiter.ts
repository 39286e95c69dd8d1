import { type Caller, FairQueue } from '@parley/kit';
import { type ApiError, notReady } from '@parley/protocol';
import { gauge } from '@parley/telemetry';

import type { RegistrationLimiter } from '../endpoint/registrations.ts';

const registrations = gauge('parley_registrations', 'Registrations that are running, and that are waiting', [
  'state',
]);

export interface RegistrationLimits {
  /** The most registrations that run at once. */
  atOnce: number;
  /** The most registrations that wait for their turn. More are refused with SERVER_NOT_READY. */
  waitingMax: number;
  /** A clock that never goes back. */
  nowMs?: () => number;
}

/** In how much of what a registration takes the last one counts. */
const weight = 0.1;
const firstGuessMs = 50;
const comeBackSecondsMax = 30;
/** The most registrations of an account that wait for those of the same account. */
const waitingOfAccountMax = 100;

export function createRegistrationLimiter({
  atOnce,
  waitingMax,
  nowMs = () => performance.now(),
}: RegistrationLimits): RegistrationLimiter & Disposable {
  const queue = new FairQueue({
    atOnce: { all: atOnce, ofCaller: 1 },
    waitingMax: { all: waitingMax, ofCaller: waitingOfAccountMax },
  });
  const measuring = registrations.watch((set) => {
    const { running, waiting } = queue.counts();
    set(running, { state: 'running' });
    set(waiting, { state: 'waiting' });
  });
  // How long it is from one end to the next, when as many run as may.
  let eachMs = firstGuessMs / atOnce;
  let roomAtMs = 0;

  function refusal(): ApiError {
    const soonestMs = nowMs();
    roomAtMs = Math.max(roomAtMs, soonestMs) + eachMs;
    // Later nobody might be left who waits.
    if (roomAtMs > soonestMs + queue.counts().waiting * eachMs) roomAtMs = soonestMs + eachMs;
    const error = notReady('registrations');
    const seconds = Math.ceil((roomAtMs - soonestMs) / 1000);
    error.headers['Retry-After'] = String(Math.min(seconds, comeBackSecondsMax));
    return error;
  }

  const limiter: RegistrationLimiter = async (organization, accountId, work) => {
    const caller: Caller = { key: accountId ?? Symbol('nobody'), organization };
    if (queue.isFull(caller)) throw refusal();
    return await queue.run(caller, async () => {
      const startMs = nowMs();
      const result = await work();
      eachMs += ((nowMs() - startMs) / atOnce - eachMs) * weight;
      return result;
    });
  };
  return Object.assign(limiter, { [Symbol.dispose]: () => measuring[Symbol.dispose]() });
}

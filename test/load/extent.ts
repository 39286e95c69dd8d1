import { pause } from '@parley/kit';

import type { Clients } from './clients/processes.ts';
import { preciseNowMs } from './recorder.ts';
import type { Tally } from './tally.ts';

/**
 * How long a load goes on: for a time, or until so many sends are acknowledged. That takes as long as it takes: clients wait
 * for the server then, where otherwise they ask when they mean to, and count how long it takes from that moment.
 */
export type Extent = { seconds: number } | { sends: number };

/**
 * What a load begins with, which counts only where it failed: nodes compile what they run, and have not met anybody yet. It
 * is told apart. `atMs` is when the load itself begins, in milliseconds since 1970.
 */
export async function warmUp(seconds: number, startsLater: number, tally: Tally): Promise<{ atMs: number }> {
  tally.begin();
  if (seconds > 0) {
    tally.beginPart(warmUpPart);
    await pause(startsLater + seconds * 1000);
    tally.begin();
  }
  return { atMs: preciseNowMs() };
}

export const warmUpPart = 'warm-up';

/** This says that something hangs, and nothing about speed. */
const sendsMsMax = 120_000;

export async function untilOver(extent: Extent, clients: Clients): Promise<void> {
  if ('seconds' in extent) {
    await pause(extent.seconds * 1000);
    return;
  }
  const giveUpMs = Date.now() + sendsMsMax;
  while (clients.acknowledged < extent.sends) {
    if (Date.now() > giveUpMs) {
      throw new Error(`Gave up: ${clients.acknowledged} of ${extent.sends} sends are acknowledged.`);
    }
    await pause(50);
  }
}

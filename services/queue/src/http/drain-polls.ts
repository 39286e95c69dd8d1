import { pause } from '@parley/kit';

import type { Polls } from '../core/polls.ts';
import type { Exchange } from './exchange.ts';

const stepMs = 50;

/** Answers all waiting polls with heartbeats, evenly over the time, so that the clients do not come back all at once. */
export async function drainPolls(polls: Polls<Exchange>, overMs: number): Promise<void> {
  const waiting = polls.all();
  const stepCount = Math.max(1, Math.floor(overMs / stepMs));
  const perStep = Math.ceil(waiting.length / stepCount);
  for (let start = 0; start < waiting.length; start += perStep) {
    for (const poll of waiting.slice(start, start + perStep)) {
      poll.reply.isLast = true;
      polls.sendHeartbeat(poll);
    }
    await pause(stepMs);
  }
}

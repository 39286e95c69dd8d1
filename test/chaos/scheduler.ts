import { pause } from '@parley/kit';

import { call } from './api-client.ts';
import { type ChaosRealm, type Member, channelNames } from './chaos-realm.ts';
import type { ScheduledSend } from './schedule-checker.ts';

/** How far ahead messages are scheduled: some are enqueued at once, others found by the sweep. */
const aheadSeconds = [1, 3, 17];
const triesMax = 30;

/** Schedules messages at a steady rate until the signal aborts, so that some are due all the time. */
export async function scheduleSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  { perSecond, prefix, signal }: { perSecond: number; prefix: string; signal: AbortSignal },
): Promise<ScheduledSend[]> {
  const scheduled: ScheduledSend[] = [];
  const startMs = Date.now();
  for (let number = 0; !signal.aborted; number += 1) {
    await pause(startMs + (number * 1000) / perSecond - Date.now(), signal);
    const author = members[number % members.length];
    if (signal.aborted || !author) break;
    const content = `${prefix} ${number}`;
    const to: Record<string, string> =
      number % 2 === 0
        ? { type: 'channel', to: String(await squareId(baseUrl, author.authorization)), topic: 'scheduled' }
        : { type: 'direct', to: JSON.stringify([members[0]?.id]) };
    scheduled.push({ content, dueMs: await schedule(author, { ...to, content }, number) });
  }
  return scheduled;

  /** Schedules a message, later if its time has come before the request; returns the time. */
  async function schedule(author: Member, message: Record<string, string>, number: number): Promise<number> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const at = Math.floor(Date.now() / 1000) + tries + (aheadSeconds[number % aheadSeconds.length] ?? 1);
      const fields = { ...message, scheduled_delivery_timestamp: String(at) };
      const answer = await call(baseUrl, author.authorization, 'POST', '/scheduled_messages', fields);
      if (answer.status === 200) return at * 1000;
      if (answer.body['code'] !== 'BAD_REQUEST') throw new Error(`Not scheduled: ${JSON.stringify(answer)}`);
    }
    throw new Error(`A message was not scheduled in ${triesMax} tries.`);
  }
}

async function squareId(baseUrl: string, authorization: string): Promise<number> {
  const { body } = await call(baseUrl, authorization, 'GET', '/get_stream_id', {
    stream: channelNames.square,
  });
  return Number(body['stream_id']);
}

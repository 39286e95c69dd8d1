import { pause } from '@parley/kit';

import { call } from './api-client.ts';
import { type ChaosRealm, type Member, channelNames } from './chaos-realm.ts';
import type { ScheduledSend } from './schedule-checker.ts';

/** How far ahead messages are scheduled: some are enqueued at once, others found by the sweep. */
const aheadSeconds = [1, 3, 17];
const triesMax = 60;
const awayMs = 500;

/** Schedules messages at a steady rate until the signal aborts, so that some are due all the time. */
export async function scheduleSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  { perSecond, prefix, signal }: { perSecond: number; prefix: string; signal: AbortSignal },
): Promise<ScheduledSend[]> {
  const scheduled: ScheduledSend[] = [];
  const startMs = Date.now();
  let square: string | undefined;
  for (let number = 0; !signal.aborted; number += 1) {
    await pause(startMs + (number * 1000) / perSecond - Date.now(), signal);
    const author = members[number % members.length];
    if (signal.aborted || !author) break;
    const to: Record<string, string> =
      number % 2 === 0
        ? { type: 'channel', to: await squareId(), topic: 'scheduled' }
        : { type: 'direct', to: JSON.stringify([members[0]?.id]) };
    scheduled.push(await schedule(author, to, number));
  }
  return scheduled;

  async function squareId(): Promise<string> {
    while (square === undefined) {
      const fields = { stream: channelNames.square };
      const asked = call(baseUrl, members[0]?.authorization ?? '', 'GET', '/get_stream_id', fields);
      const answer = await asked.catch(() => null);
      if (answer?.status === 200) square = String(answer.body['stream_id']);
      else await pause(awayMs);
    }
    return square;
  }

  /**
   * Schedules a message, later if its time has come before the request. One of which nobody says whether it is scheduled
   * is followed by another.
   */
  async function schedule(
    author: Member,
    to: Record<string, string>,
    number: number,
  ): Promise<ScheduledSend> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const content = `${prefix} ${number}${tries > 0 ? `.${tries}` : ''}`;
      const at = Math.floor(Date.now() / 1000) + tries + (aheadSeconds[number % aheadSeconds.length] ?? 1);
      const fields = { ...to, content, scheduled_delivery_timestamp: String(at) };
      const asked = call(baseUrl, author.authorization, 'POST', '/scheduled_messages', fields);
      const answer = await asked.catch(() => null);
      if (answer?.status === 200) return { content, dueMs: at * 1000, scheduledMs: Date.now() };
      const isAway = !answer || answer.status >= 500;
      if (isAway) await pause(awayMs);
      else if (answer.body['code'] !== 'BAD_REQUEST')
        throw new Error(`Not scheduled: ${JSON.stringify(answer)}`);
    }
    throw new Error(`A message was not scheduled in ${triesMax} tries.`);
  }
}

import { pause } from '@parley/kit';

import { call } from './api-client.ts';
import { type ChaosRealm, channelNames } from './chaos-realm.ts';
import type { Question } from './webhook-checker.ts';

/** This says that something hangs, on a machine on which ten processes share a core too. */
const giveUpMs = 240_000;

/**
 * Makes an outgoing-webhook bot with its service at this address, and asks it at a steady rate until the signal aborts:
 * in a channel, and in direct messages. A question is asked when the one before it is acknowledged.
 */
export async function askSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  url: string,
  perSecond: number,
  signal: AbortSignal,
): Promise<Question[]> {
  const [owner] = members;
  if (!owner) throw new Error('The realm has no members.');
  const startMs = Date.now();
  // One that was made and not acknowledged has its name for good.
  const nameOf = (attempt: number) => `Helper ${startMs}.${attempt}`;
  const { answer: bot, attempt } = await postUntilDone(owner.authorization, '/bots', (number) => ({
    full_name: nameOf(number),
    short_name: `helper-${startMs}-${number}`,
    bot_type: '3',
    payload_url: JSON.stringify(url),
  }));
  const name = nameOf(attempt);

  const questions: Question[] = [];
  for (let number = 0; !signal.aborted; number += 1) {
    await pause(startMs + (number * 1000) / perSecond - Date.now(), signal);
    const asker = members[number % members.length];
    if (signal.aborted || !asker) break;
    const text = `asked ${startMs}.${number}`;
    const isDirect = number % 4 > 1;
    const fields: Record<string, string> = isDirect
      ? { type: 'direct', to: JSON.stringify([bot['user_id']]), content: text }
      : { type: 'channel', to: channelNames.square, topic: 'asked', content: `@**${name}** ${text}` };
    await postUntilDone(asker.authorization, '/messages', () => ({
      ...fields,
      queue_id: 'chaos',
      local_id: text,
    }));
    questions.push({ text, place: isDirect ? `to ${asker.id}` : 'square' });
  }
  return questions;

  /** Asks again as long as nobody answers or a node is busy. Returns the answer, and at which attempt it came. */
  async function postUntilDone(
    authorization: string,
    path: string,
    fieldsOf: (attempt: number) => Record<string, string>,
  ): Promise<{ answer: Record<string, unknown>; attempt: number }> {
    const deadlineMs = Date.now() + giveUpMs;
    for (let attempt = 1; Date.now() < deadlineMs; attempt += 1) {
      const answer = await call(baseUrl, authorization, 'POST', path, fieldsOf(attempt)).catch(() => null);
      if (answer?.status === 200) return { answer: answer.body, attempt };
      if (answer && answer.status < 500) throw new Error(`Refused ${path}: ${JSON.stringify(answer.body)}`);
      await pause(100);
    }
    throw new Error(`Nobody answered ${path}.`);
  }
}

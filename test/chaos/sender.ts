import { backoffMs, pause } from '@parley/kit';

import { type Answer, call } from './api-client.ts';
import { type ChaosRealm, channelNames } from './chaos-realm.ts';
import type { AttemptedSend } from './checker.ts';

/** A busy machine may refuse a send for a while. */
const giveUpMs = 120_000;

export interface SteadySend extends AttemptedSend {
  startedMs: number;
  endedMs: number;
  /** Tries that were not answered (null), or refused, and when. */
  failedTries: { atMs: number; status: number | null; answer?: Answer }[];
}

/** Sends messages at a steady rate until the signal aborts, each again and again until it is acknowledged. */
export async function sendSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  perSecond: number,
  signal: AbortSignal,
  onSent: (send: SteadySend) => void,
): Promise<void> {
  const underway = new Set<Promise<void>>();
  const startMs = Date.now();
  for (let number = 0; !signal.aborted; number += 1) {
    await pause(startMs + (number * 1000) / perSecond - Date.now(), signal);
    if (signal.aborted) break;
    const sending = sendOne(number);
    underway.add(sending);
    void sending.finally(() => underway.delete(sending));
  }
  await Promise.all(underway);

  async function sendOne(number: number): Promise<void> {
    const localId = `${startMs}.${number}`;
    const { sender, fields } = messageOf(number);
    const form = { ...fields, content: `number ${number}`, queue_id: 'chaos', local_id: localId };
    const startedMs = Date.now();
    const send: SteadySend = {
      localId,
      messageId: null,
      startedMs,
      endedMs: startedMs,
      slowestAnswerMs: 0,
      failedTries: [],
    };
    while (Date.now() < startedMs + giveUpMs) {
      const askedMs = Date.now();
      const answer = await call(baseUrl, sender.authorization, 'POST', '/messages', form).catch(() => null);
      send.endedMs = Date.now();
      send.slowestAnswerMs = Math.max(send.slowestAnswerMs, send.endedMs - askedMs);
      if (answer?.status === 200) {
        send.messageId = Number(answer.body['id']);
        break;
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        throw new Error(`A send was refused: ${JSON.stringify(answer.body)}`);
      }
      const failed = send.failedTries.push({
        atMs: send.endedMs,
        status: answer?.status ?? null,
        ...(answer && { answer }),
      });
      await pause(backoffMs(failed - 1, { firstMs: 50, maxMs: 1000 }));
    }
    onSent(send);
  }

  /** A mix: to everyone, to a private few, to a quiet public channel in topics that are new, to one person. */
  function messageOf(number: number) {
    const at = (index: number) => {
      const member = members[index % members.length];
      if (!member) throw new Error('The realm has no members.');
      return member;
    };
    const toChannel = (to: string, sender = at(number), topic = `topic ${number % 7}`) => ({
      sender,
      fields: { type: 'channel', to: JSON.stringify(to), topic },
    });
    if (number % 10 < 4) return toChannel(channelNames.square);
    if (number % 10 < 6) return toChannel(channelNames.club, at(number % 5));
    if (number % 10 < 7) return toChannel(channelNames.corner, at(number), `topic of ${number}`);
    return { sender: at(number), fields: { type: 'direct', to: JSON.stringify([at(number * 7 + 1).id]) } };
  }
}

import { backoffMs, pause } from '@parley/kit';

import { call } from './api-client.ts';
import { type Member, channelNames } from './chaos-realm.ts';
import type { Heard, WatchedQueue } from './checker.ts';
import type { QueueStarts } from './queue-starts.ts';

export interface Listener {
  queue: WatchedQueue;
  /** How often the server told it to register again. */
  reRegistered: number;
  /** Polls that failed and were asked again. */
  retried: number;
  /** Polls until the signal aborts. */
  listen(signal: AbortSignal): Promise<void>;
}

interface Kind {
  fields: Record<string, string>;
  watched: Pick<WatchedQueue, 'eventTypes' | 'narrow' | 'allPublic'>;
}

const plain = { eventTypes: null, narrow: null, allPublic: false };

/** Filters of every kind, in turn. */
const kinds: readonly Kind[] = [
  { fields: {}, watched: plain },
  {
    fields: { event_types: '["message"]', apply_markdown: 'true' },
    watched: { ...plain, eventTypes: ['message'] },
  },
  { fields: { narrow: '[["is","dm"]]' }, watched: { ...plain, narrow: 'dm' } },
  {
    fields: { narrow: JSON.stringify([['channel', channelNames.corner]]) },
    watched: { ...plain, narrow: { channel: channelNames.corner } },
  },
  { fields: { all_public_streams: 'true' }, watched: { ...plain, allPublic: true } },
  { fields: { event_types: '["subscription"]' }, watched: { ...plain, eventTypes: ['subscription'] } },
];

export async function startListener(
  baseUrl: string,
  member: Member,
  number: number,
  starts: Pick<QueueStarts, 'of'>,
): Promise<Listener> {
  const kind = kinds[number % kinds.length] ?? { fields: {}, watched: plain };
  const fields = { fetch_event_types: '[]', ...kind.fields };
  const registered = await call(baseUrl, member.authorization, 'POST', '/register', fields);
  if (registered.status !== 200) throw new Error(`register: ${JSON.stringify(registered.body)}`);
  const { queue_id: queueId, last_event_id: first } = registered.body;
  let cursor = Number(first);
  const start = await starts.of(String(queueId));

  const heard: Heard[] = [];
  const listener: Listener = {
    queue: { userId: member.id, start, registeredAt: start.seq, ...kind.watched, heard },
    reRegistered: 0,
    retried: 0,
    async listen(signal) {
      for (let failures = 0; !signal.aborted;) {
        const isDone = await poll(signal).catch(() => false);
        if (signal.aborted) return;
        failures = isDone ? 0 : failures + 1;
        if (isDone) continue;
        listener.retried += 1;
        await pause(backoffMs(failures, { firstMs: 20, maxMs: 1000 }), signal);
      }
    },
  };

  /** True when the poll was answered with events, however few. */
  async function poll(signal: AbortSignal): Promise<boolean> {
    const fields: Record<string, string> = { queue_id: String(queueId), last_event_id: String(cursor) };
    const { status, body } = await call(baseUrl, member.authorization, 'GET', '/events', fields, signal);
    if (body['code'] === 'BAD_EVENT_QUEUE_ID') listener.reRegistered += 1;
    if (status !== 200) return false;
    const atMs = Date.now();
    for (const event of body['events'] as { id: number; type: string; message?: { id: number } }[]) {
      heard.push({ id: event.id, type: event.type, messageId: event.message?.id ?? null, atMs });
      cursor = Math.max(cursor, event.id);
    }
    return true;
  }
  return listener;
}

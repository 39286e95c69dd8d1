import { backoffMs, pause } from '@parley/kit';

import { call } from './api-client.ts';
import { type Member, channelNames } from './chaos-realm.ts';
import type { WatchedQueue } from './checker.ts';
import type { QueueStarts } from './queue-starts.ts';

export interface Listener {
  /** What it polls now. When it is told to register anew, it begins with nothing heard. */
  queue: WatchedQueue;
  /** How often the server told it to register again. */
  reRegistered: number;
  /** Events that it heard on queues that ended. */
  heardBefore: number;
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

/** A busy server refuses some at first. */
const startMsMax = 120_000;
/** How many messages a client reads when it registers. */
const fetchedMax = 100;

export async function startListener(
  baseUrl: string,
  member: Member,
  number: number,
  starts: Pick<QueueStarts, 'of'>,
): Promise<Listener> {
  const kind = kinds[number % kinds.length] ?? { fields: {}, watched: plain };
  const ask: Ask = (method, path, fields, signal) =>
    call(baseUrl, member.authorization, method, path, fields, signal);
  const register = () => registerAs(ask, member, kind, starts);
  return new PollingListener(ask, register, await untilRegistered(register, AbortSignal.timeout(startMsMax)));
}

type Ask = (
  method: 'GET' | 'POST',
  path: string,
  fields: Record<string, string>,
  signal?: AbortSignal,
) => ReturnType<typeof call>;

interface Registered {
  queueId: string;
  lastEventId: number;
  queue: WatchedQueue;
}

/** Registers again and again until it is done. When the signal has aborted, it throws what went wrong last. */
async function untilRegistered(
  register: () => Promise<Registered>,
  signal: AbortSignal,
): Promise<Registered> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await register();
    } catch (error) {
      if (signal.aborted) throw error;
    }
    await pause(backoffMs(failures, { firstMs: 50, maxMs: 1000 }), signal);
  }
}

/** Registers, and reads what there is. */
async function registerAs(
  ask: Ask,
  member: Member,
  { fields, watched }: Kind,
  starts: Pick<QueueStarts, 'of'>,
): Promise<Registered> {
  const registered = await ask('POST', '/register', { fetch_event_types: '[]', ...fields });
  if (registered.status !== 200) throw new Error(`register: ${JSON.stringify(registered.body)}`);
  const { queue_id: queueId, last_event_id: lastEventId } = registered.body;
  const start = await starts.of(String(queueId));
  const newest = {
    anchor: 'newest',
    num_before: String(fetchedMax),
    num_after: '0',
    apply_markdown: 'false',
  };
  const fetched = await ask('GET', '/messages', newest);
  if (fetched.status !== 200) throw new Error(`messages: ${JSON.stringify(fetched.body)}`);
  const messages = fetched.body['messages'] as { id: number; content: string }[];
  const queue = {
    userId: member.id,
    start,
    registeredAt: start.seq,
    registeredMs: Date.now(),
    fetched: new Map(messages.map(({ id, content }) => [id, content])),
    ...watched,
    heard: [],
  };
  return { queueId: String(queueId), lastEventId: Number(lastEventId), queue };
}

class PollingListener implements Listener {
  queue: WatchedQueue;
  reRegistered = 0;
  heardBefore = 0;
  retried = 0;
  private readonly ask: Ask;
  private readonly register: () => Promise<Registered>;
  private queueId: string;
  private cursor: number;

  constructor(ask: Ask, register: () => Promise<Registered>, first: Registered) {
    this.ask = ask;
    this.register = register;
    this.queue = first.queue;
    this.queueId = first.queueId;
    this.cursor = first.lastEventId;
  }

  async listen(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const isDone = await this.poll(signal).catch(() => false);
      if (signal.aborted) return;
      failures = isDone ? 0 : failures + 1;
      if (isDone) continue;
      this.retried += 1;
      await pause(backoffMs(failures, { firstMs: 20, maxMs: 1000 }), signal);
    }
  }

  private async registerAgain(signal: AbortSignal): Promise<void> {
    this.reRegistered += 1;
    const registered = await untilRegistered(this.register, signal).catch(() => null);
    if (!registered) return;
    this.heardBefore += this.queue.heard.length;
    this.queue = registered.queue;
    this.queueId = registered.queueId;
    this.cursor = registered.lastEventId;
  }

  /** True when the poll was answered with events, however few, or the client has registered again. */
  private async poll(signal: AbortSignal): Promise<boolean> {
    const fields: Record<string, string> = { queue_id: this.queueId, last_event_id: String(this.cursor) };
    const { status, body } = await this.ask('GET', '/events', fields, signal);
    if (body['code'] === 'BAD_EVENT_QUEUE_ID') {
      await this.registerAgain(signal);
      return true;
    }
    if (status !== 200) return false;
    const atMs = Date.now();
    for (const event of body['events'] as { id: number; type: string; message?: { id: number } }[]) {
      this.queue.heard.push({ id: event.id, type: event.type, messageId: event.message?.id ?? null, atMs });
      this.cursor = Math.max(this.cursor, event.id);
    }
    return true;
  }
}

import { delayMs, pause } from '../connection/backoff.ts';
import type { Connection } from '../connection/connect.ts';
import { isTransient } from '../connection/errors.ts';
import type { Message } from '../state/message.ts';
import { type Place, amongPeople, inTopic } from '../state/places.ts';
import type { State } from '../state/state.ts';
import { type Listener, createEmitter } from './emitter.ts';

/** Where a message is to go: a topic of a channel, or to people, with or without oneself among them. */
export type Destination =
  | { readonly channelId: number; readonly topic: string }
  | { readonly userIds: readonly number[] };

/** A message that its author has sent, and that has not come back as an event yet. */
export interface PendingMessage {
  readonly localId: string;
  readonly destination: Destination;
  readonly place: Place;
  /** Markdown. */
  readonly content: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** `sent`: the server has it. `failed`: it has refused it, or could not be reached for long. */
  readonly state: 'sending' | 'sent' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
  /** The message's id, once it is known. */
  readonly id?: number;
}

/** What the client sends: shown at once, sent in order, and tried again when a reply is lost. */
export interface Outbox {
  readonly pending: ReadonlyMap<string, PendingMessage>;
  /**
   * Accepts a message to send. It stays in `pending` until its event comes, or as failed.
   * @throws an error before there is a queue
   */
  send(destination: Destination, content: string): PendingMessage;
  /** Sends one that failed again: the server recognizes both tries as one message. */
  retry(localId: string): void;
  /** Forgets one that failed; answers with it, so that its text is not lost. */
  discard(localId: string): PendingMessage | undefined;
  /** Called with whatever is added, changes or goes. Returns what ends it. */
  subscribe(listener: Listener<PendingMessage>): () => void;
}

export interface ManagedOutbox extends Outbox {
  /** A message with a local id has come as an event. */
  confirm(localId: string): void;
  /** Lets go of those that were sent and are known to the client. */
  confirmKnown(isKnown: (id: number) => boolean): void;
  /** The server can be reached again: whatever waits for that is sent at once, also what has failed for that reason. */
  wake(): void;
  stop(): void;
}

/** How often a send is tried before it counts as failed: for about a minute. */
const triesMax = 8;

interface OutboxContext {
  connection: Connection;
  readonly state: () => State;
  readonly queueId: () => string | null;
}

export const createOutbox = (context: OutboxContext): ManagedOutbox => new PendingMessages(context);

class PendingMessages implements ManagedOutbox {
  readonly pending = new Map<string, PendingMessage>();
  private readonly context: OutboxContext;
  /** The queue under which a message was first sent: with it and the local id, the server knows a message again. */
  private readonly queues = new Map<string, string>();
  /** The last send to each place: what is said after something comes after it. */
  private readonly last = new Map<Place, Promise<void>>();
  private readonly stopping = new AbortController();
  /** Is aborted when the server can be reached again, and another one begins. */
  private waking = new AbortController();
  private readonly changed = createEmitter<PendingMessage>();
  readonly subscribe = this.changed.subscribe;

  constructor(context: OutboxContext) {
    this.context = context;
  }

  send(destination: Destination, content: string): PendingMessage {
    const queue = this.context.queueId();
    if (queue === null) throw new Error('There is no queue yet.');
    const localId = newLocalId();
    const message: PendingMessage = {
      localId,
      destination,
      place: placeOf(destination, this.context.state()),
      content,
      timestamp: Math.floor(Date.now() / 1000),
      state: 'sending',
    };
    this.pending.set(localId, message);
    this.queues.set(localId, queue);
    this.changed.emit(message);
    this.enqueue(message);
    return message;
  }

  retry(localId: string): void {
    const message = this.pending.get(localId);
    if (message?.state !== 'failed') return;
    this.set(localId, { state: 'sending' });
    this.enqueue(message);
  }

  discard(localId: string): PendingMessage | undefined {
    return this.pending.get(localId)?.state === 'failed' ? this.remove(localId) : undefined;
  }

  confirm(localId: string): void {
    this.remove(localId);
  }

  confirmKnown(isKnown: (id: number) => boolean): void {
    for (const { localId, id } of this.pending.values()) {
      if (id !== undefined && isKnown(id)) this.remove(localId);
    }
  }

  wake(): void {
    this.waking.abort();
    this.waking = new AbortController();
    for (const { localId, state, error } of this.pending.values()) {
      if (state === 'failed' && isTransient(error)) this.retry(localId);
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  private set(localId: string, change: Partial<PendingMessage>): void {
    const message = this.pending.get(localId);
    if (!message) return;
    const { error: _, ...rest } = message;
    const changed = { ...rest, ...change };
    this.pending.set(localId, changed);
    this.changed.emit(changed);
  }

  private remove(localId: string): PendingMessage | undefined {
    const message = this.pending.get(localId);
    if (!message) return undefined;
    this.pending.delete(localId);
    this.queues.delete(localId);
    this.changed.emit(message);
    return message;
  }

  private async post(localId: string): Promise<void> {
    const message = this.pending.get(localId);
    if (!message) return;
    const { connection, state } = this.context;
    const params = { ...recipientOf(message.destination, state()), content: message.content };
    const identity = { queue_id: this.queues.get(localId), local_id: localId, read_by_sender: true };
    const { id } = await connection.post<{ id: number }>(
      '/messages',
      { ...params, ...identity },
      { signal: this.stopping.signal },
    );
    this.set(localId, { state: 'sent', id });
    if (state().messages.has(id)) this.remove(localId);
  }

  private async deliver(localId: string): Promise<void> {
    let tries = 0;
    while (this.pending.has(localId)) {
      const waking = this.waking.signal;
      try {
        await this.post(localId);
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        // A try that began before the server could be reached again says nothing about now.
        tries = waking.aborted ? 0 : tries + 1;
        if (!isTransient(error) || tries >= triesMax) {
          this.set(localId, { state: 'failed', error });
          return;
        }
        const wait = AbortSignal.any([this.stopping.signal, this.waking.signal]);
        await pause(delayMs(Math.max(0, tries - 1), error), wait);
      }
    }
  }

  private enqueue({ localId, place }: PendingMessage): void {
    const before = this.last.get(place) ?? Promise.resolve();
    const delivery = before.then(() => this.deliver(localId));
    this.last.set(place, delivery);
    void delivery.finally(() => {
      if (this.last.get(place) === delivery) this.last.delete(place);
    });
  }
}

let localIds = 0;
/** Different for each message of all clients. A page that is not served over TLS has no `crypto.randomUUID`. */
function newLocalId(): string {
  localIds += 1;
  return `${crypto.getRandomValues(new Uint32Array(2)).join('')}.${localIds}`;
}

const placeOf = (destination: Destination, { own }: State): Place =>
  'channelId' in destination
    ? inTopic(destination.channelId, destination.topic)
    : amongPeople(destination.userIds.filter((id) => id !== own.user_id));

const recipientOf = (destination: Destination, { own }: State) =>
  'channelId' in destination
    ? { type: 'channel', to: destination.channelId, topic: destination.topic }
    : { type: 'direct', to: destination.userIds.length > 0 ? destination.userIds : [own.user_id] };

/** A pending message as far as a narrow can be decided by it. */
export function asMessage({ destination, content, timestamp }: PendingMessage, { own }: State): Message {
  const common = {
    id: Number.MAX_SAFE_INTEGER,
    sender_id: own.user_id,
    timestamp,
    content,
    is_me_message: false,
    topic_links: [],
    reactions: [],
    submessages: [],
    flags: ['read'],
  };
  if ('channelId' in destination) {
    const { channelId: stream_id, topic: subject } = destination;
    return { ...common, type: 'stream', stream_id, subject };
  }
  const people = [...new Set([...destination.userIds, own.user_id])].sort((a, b) => a - b).join(',');
  return { ...common, type: 'private', subject: '', people };
}

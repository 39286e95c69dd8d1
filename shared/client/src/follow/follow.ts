import { delayMs, pause } from '../connection/backoff.ts';
import type { Connection } from '../connection/connect.ts';
import type { Params } from '../connection/encode.ts';
import { RequestFailed, isSignedOut, isTransient } from '../connection/errors.ts';
import { apply } from '../state/apply.ts';
import { type Changes, noChanges } from '../state/changes.ts';
import { derive } from '../state/derive.ts';
import type { AnyEvent } from '../state/event.ts';
import type { Registered } from '../state/read-state.ts';
import { readState } from '../state/read-state.ts';
import type { State } from '../state/state.ts';
import { registration } from './registration.ts';

/**
 * How the client stands with the server. `starting`: it has no state yet. `offline`: it tries again and again. `ended`:
 * it may not ask any more, or was stopped.
 */
export type Status = 'starting' | 'online' | 'offline' | 'ended';

export interface FollowOptions {
  /** Further parameters of POST /register. */
  register?: Params;
  /**
   * Waits after an answer with events, until the next ones are asked for; ends at once when the signal aborts. What happens
   * meanwhile arrives together: whoever shows a busy conversation draws some times a second, and not for each of a hundred
   * messages. By default there is no wait.
   */
  gather?: (signal: AbortSignal) => Promise<void>;
  /** There is a state. It is called again when the queue was lost and the state is another. */
  onStart?: (state: State) => void;
  /** Once per batch of events, after all of them. */
  onChanges?: (state: State, changes: Changes, events: readonly AnyEvent[]) => void;
  /** `error` is why it is offline or has ended. */
  onStatus?: (status: Status, error: unknown) => void;
}

/** Whoever follows: a state that is kept true by the events of a queue. */
export interface Following {
  /** Null before the first registration. */
  readonly state: State | null;
  readonly status: Status;
  /** The queue that is followed now; null before there is one. */
  readonly queueId: string | null;
  /** Resolves with the first state; rejects when it ends before there is one. */
  readonly started: Promise<State>;
  /**
   * Asks the server now, without waiting for the next try or for a poll of which nobody knows whether it will ever be
   * answered: the network is back, the machine has slept, or somebody opened the page.
   */
  retryNow(): void;
  /** Deletes the queue, if the server can be reached. */
  stop(): Promise<void>;
}

/** A poll is parked for less than a minute. */
const pollTimeoutMs = 90_000;
/** A poll that does not wait for events is answered at once, or the server is not there. */
const checkTimeoutMs = 10_000;
const registerTimeoutMs = 60_000;

/** Why a poll was aborted that nobody wants to wait for. */
const retried = new Error('The server is asked anew.');

interface Queue {
  id: string;
  lastEventId: number;
}

/** Registers a queue and follows it until it is stopped, or the account may not ask any more. */
export const follow = (connection: Connection, options: FollowOptions = {}): Following =>
  new QueueFollower(connection, options);

class QueueFollower implements Following {
  state: State | null = null;
  status: Status = 'starting';
  readonly started: Promise<State>;
  private readonly connection: Connection;
  private readonly options: FollowOptions;
  private readonly firstState = deferred<State>();
  private readonly stopping = new AbortController();
  private queue: Queue | null = null;
  /** Ends whatever is waited for: a poll, or the time before the next try. */
  private waiting = new AbortController();
  private isCheckDue = false;
  /** Resolves when nothing is asked any more. */
  private readonly running: Promise<void>;

  constructor(connection: Connection, options: FollowOptions) {
    this.connection = connection;
    this.options = options;
    this.started = this.firstState.promise;
    this.running = this.run();
  }

  get queueId(): string | null {
    return this.queue?.id ?? null;
  }

  retryNow(): void {
    this.isCheckDue = true;
    this.waiting.abort(retried);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (!this.queue) return;
    const params = { queue_id: this.queue.id };
    await this.connection.delete('/events', params, { timeoutMs: 5000 }).catch(() => undefined);
  }

  private setStatus(next: Status, error?: unknown): void {
    if (next === this.status) return;
    this.status = next;
    this.options.onStatus?.(next, error);
  }

  private async register(): Promise<Queue> {
    const registered = await this.connection.post<Registered>(
      '/register',
      { ...registration, ...this.options.register },
      { signal: this.stopping.signal, timeoutMs: registerTimeoutMs },
    );
    const { queue_id: id, last_event_id: lastEventId } = registered;
    if (id === null) throw new Error('Spectators have no queue.');
    this.state = readState(registered);
    this.queue = { id, lastEventId };
    this.options.onStart?.(this.state);
    this.firstState.resolve(this.state);
    return this.queue;
  }

  /** Asks for events; where it is not known whether the server is there, without waiting for one. */
  private async poll({ id, lastEventId }: Queue): Promise<AnyEvent[]> {
    const isCheck = this.isCheckDue || this.status !== 'online';
    this.isCheckDue = false;
    const { events } = await this.connection.get<{ events: AnyEvent[] }>(
      '/events',
      { queue_id: id, last_event_id: lastEventId, ...(isCheck && { dont_block: true }) },
      {
        signal: this.interrupted(),
        timeoutMs: isCheck ? checkTimeoutMs : pollTimeoutMs,
        retries: 0,
      },
    );
    return events;
  }

  private applyAll(followed: State, events: readonly AnyEvent[]): void {
    const changes = noChanges();
    for (const event of events) apply(followed, event, changes);
    derive(followed, changes);
    this.options.onChanges?.(followed, changes, events);
  }

  private async step(): Promise<void> {
    let current = this.queue;
    if (!current) {
      current = await this.register();
      this.setStatus('online');
    }
    const events = await this.poll(current);
    this.setStatus('online');
    current.lastEventId = events.at(-1)?.id ?? current.lastEventId;
    if (this.state && events.length > 0) this.applyAll(this.state, events);
    if (this.options.gather && events.length > 0) await this.rest(this.options.gather);
  }

  /** Waits, or until somebody wants to ask at once. */
  private async rest(wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await wait(this.interrupted());
    if (this.waiting.signal.aborted) this.waiting = new AbortController();
  }

  /** Aborted by whoever does not want to wait any longer for an answer or for the next try. */
  private interrupted(): AbortSignal {
    return AbortSignal.any([this.waiting.signal, this.stopping.signal]);
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping.signal.aborted;) {
      try {
        await this.step();
        failures = 0;
      } catch (error) {
        if (this.stopping.signal.aborted) break;
        if (error === retried) {
          this.waiting = new AbortController();
          continue;
        }
        if (isSignedOut(error)) {
          // Nobody may delete it any more.
          this.queue = null;
          this.setStatus('ended', error);
          this.firstState.reject(error);
          return;
        }
        // The queue is gone, or what it says does not fit the state: both begin anew.
        if (!isTransient(error)) this.queue = null;
        if (error instanceof RequestFailed && error.code === 'BAD_EVENT_QUEUE_ID' && failures === 0) {
          failures = 1;
          continue;
        }
        this.setStatus(this.state ? 'offline' : this.status, error);
        await this.rest((signal) => pause(delayMs(failures, error), signal));
        failures += 1;
      }
    }
    this.setStatus('ended');
    this.firstState.reject(this.stopping.signal.reason);
  }
}

/** A promise that others settle. Nobody has to await it. */
function deferred<Value>() {
  let [resolve, reject]: [(value: Value) => void, (reason: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<Value>((...settlers) => ([resolve, reject] = settlers));
  promise.catch(() => undefined);
  return { promise, resolve: (value: Value) => resolve(value), reject: (reason: unknown) => reject(reason) };
}

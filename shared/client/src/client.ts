import type { Connection } from './connection/connect.ts';
import { answer } from './follow/answer.ts';
import { type FollowOptions, type Following, follow } from './follow/follow.ts';
import { type Listener, createEmitter } from './messages/emitter.ts';
import { type EarlyPage, type History, createHistory } from './messages/history.ts';
import { type Lists, type ListsOptions, type ManagedLists, createLists } from './messages/lists.ts';
import { type ManagedOutbox, type Outbox, createOutbox } from './messages/outbox.ts';
import { type Changes, type Questions, noChanges } from './state/changes.ts';
import { derive } from './state/derive.ts';
import type { State } from './state/state.ts';

export interface ClientOptions extends Pick<FollowOptions, 'register' | 'gather'>, ListsOptions {
  /** Returns the page of a list that will be opened, if it was asked for when the first registration had been answered. */
  earlyPage?: () => EarlyPage | null;
}

/** A state that was changed, and how. */
export interface Changed {
  state: State;
  changes: Changes;
  /** Whether it is a state that was fetched anew, of which nothing is as it was. */
  isNew: boolean;
}

/** All that a program needs to show an account's conversations: the state, lists of messages, and what is sent. */
export interface Client extends Following {
  readonly lists: Lists;
  readonly outbox: Outbox;
  readonly connection: Connection;
  /** Puts what the server has answered into the state, and notifies subscribers of what `change` records. */
  merge(change: (state: State, changes: Changes) => void): void;
  /** Called for each state that is fetched, and once per batch of events. Returns what ends it. */
  subscribe(listener: Listener<Changed>): () => void;
  /** Called when `status` changes. Returns what ends it. */
  onStatus(listener: Listener<{ status: Client['status']; error: unknown }>): () => void;
}

export const createClient = (connection: Connection, options: ClientOptions = {}): Client =>
  new FollowingClient(connection, options);

class FollowingClient implements Client {
  readonly connection: Connection;
  readonly lists: ManagedLists;
  readonly outbox: ManagedOutbox;
  private readonly following: Following;
  private readonly history: History;
  private readonly changed = createEmitter<Changed>();
  private readonly statuses = createEmitter<{ status: Client['status']; error: unknown }>();
  readonly subscribe = this.changed.subscribe;
  readonly onStatus = this.statuses.subscribe;
  private readonly earlyPage: (() => EarlyPage | null) | undefined;
  /** The state that was fetched last. */
  private current: State | null = null;
  /** The queue of that state, under which messages are sent. */
  private lastQueueId: string | null = null;
  /** What could not be asked while the server was away. */
  private unanswered: Questions[] = [];

  constructor(connection: Connection, options: ClientOptions) {
    const state = () => this.currentState();
    this.connection = connection;
    this.earlyPage = options.earlyPage;
    this.history = createHistory(connection);
    this.outbox = createOutbox({ connection, state, queueId: () => this.lastQueueId });
    this.lists = createLists(
      { connection, history: this.history, state, pending: () => this.outbox.pending.values() },
      options,
    );
    this.outbox.subscribe((message) => this.lists.notify(message));
    this.following = follow(connection, {
      ...(options.register && { register: options.register }),
      ...(options.gather && { gather: options.gather }),
      onStart: (started) => this.start(started),
      onChanges: (of, changes, events) => this.receive(of, changes, events),
      onStatus: (status, error) => {
        if (status === 'online') this.outbox.wake();
        this.statuses.emit({ status, error });
      },
    });
  }

  get state() {
    return this.following.state;
  }

  get status() {
    return this.following.status;
  }

  get queueId() {
    return this.following.queueId;
  }

  get started() {
    return this.following.started;
  }

  retryNow(): void {
    this.following.retryNow();
  }

  merge(change: (state: State, changes: Changes) => void): void {
    const changes = noChanges();
    change(this.currentState(), changes);
    this.notify(this.currentState(), changes);
  }

  async stop(): Promise<void> {
    this.outbox.stop();
    this.history.reset();
    await this.following.stop();
  }

  private currentState(): State {
    if (!this.current) throw new Error('The client has no state yet.');
    return this.current;
  }

  private start(started: State): void {
    this.history.reset();
    const isFirst = this.current === null;
    // What is on the screen stays there until it is loaded anew.
    if (this.current) started.messages = this.lists.shown(this.current.messages);
    this.current = started;
    this.unanswered = [];
    this.lastQueueId = this.following.queueId;
    this.outbox.confirmKnown(() => true);
    if (!isFirst) this.lists.restart();
    else this.history.expect(this.earlyPage?.() ?? null);
    this.changed.emit({ state: started, changes: noChanges(), isNew: true });
  }

  private receive(of: State, changes: Changes, events: Parameters<History['record']>[0]): void {
    this.history.record(events);
    for (const { local_message_id: localId } of events) {
      if (typeof localId === 'string') this.outbox.confirm(localId);
    }
    this.outbox.confirmKnown((id) => changes.messages.has(id));
    this.notify(of, changes);
    const questions = [...this.unanswered, changes.questions];
    this.unanswered = [];
    for (const asked of questions) void this.ask(of, asked);
  }

  private notify(of: State, changes: Changes): void {
    this.lists.apply(changes);
    this.changed.emit({ state: of, changes, isNew: false });
  }

  /** Asks for what events left open. A state that was replaced meanwhile has no questions. */
  private async ask(of: State, questions: Questions): Promise<void> {
    const sets = [questions.messages, questions.channels, questions.conversations];
    if (sets.every(({ size }) => size === 0)) return;
    const changes = { ...noChanges(), questions };
    try {
      await answer(of, changes, async (params) => (await this.history.fetch(params)).messages);
    } catch {
      if (of === this.current) this.unanswered.push(questions);
      return;
    }
    if (of !== this.current) return;
    const answered = { ...changes, questions: noChanges().questions };
    derive(of, answered);
    this.notify(of, answered);
  }
}

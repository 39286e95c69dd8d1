import type { Connection } from './connection/connect.ts';
import { answer } from './follow/answer.ts';
import { type FollowOptions, type Following, follow } from './follow/follow.ts';
import { type Listener, createEmitter } from './messages/emitter.ts';
import { createHistory } from './messages/history.ts';
import { type Lists, type ListsOptions, createLists } from './messages/lists.ts';
import { type Outbox, createOutbox } from './messages/outbox.ts';
import { type Changes, type Questions, noChanges } from './state/changes.ts';
import { derive } from './state/derive.ts';
import type { State } from './state/state.ts';

export type ClientOptions = Pick<FollowOptions, 'register'> & ListsOptions;

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

export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const changed = createEmitter<Changed>();
  const statuses = createEmitter<{ status: Client['status']; error: unknown }>();
  const history = createHistory(connection);
  let current: State | null = null;
  /** What could not be asked while the server was away. */
  const unanswered: Questions[] = [];
  let lastQueueId: string | null = null;
  const state = (): State => {
    if (!current) throw new Error('The client has no state yet.');
    return current;
  };

  const outbox = createOutbox({ connection, state, queueId: () => lastQueueId });
  const lists = createLists({ connection, history, state, pending: () => outbox.pending.values() }, options);
  outbox.subscribe((message) => lists.notify(message));

  function notify(of: State, changes: Changes): void {
    lists.apply(changes);
    changed.emit({ state: of, changes, isNew: false });
  }

  /** Asks for what events left open. A state that was replaced meanwhile has no questions. */
  async function ask(of: State, questions: Questions): Promise<void> {
    const sets = [questions.messages, questions.channels, questions.conversations];
    if (sets.every(({ size }) => size === 0)) return;
    const changes = { ...noChanges(), questions };
    try {
      await answer(of, changes, async (params) => (await history.fetch(params)).messages);
    } catch {
      if (of === current) unanswered.push(questions);
      return;
    }
    if (of !== current) return;
    const answered = { ...changes, questions: noChanges().questions };
    derive(of, answered);
    notify(of, answered);
  }

  const following = follow(connection, {
    ...(options.register && { register: options.register }),
    onStart(started) {
      history.reset();
      const isFirst = current === null;
      // What is on the screen stays there until it is loaded anew.
      if (current) started.messages = lists.shown(current.messages);
      current = started;
      unanswered.length = 0;
      lastQueueId = following.queueId;
      outbox.confirmKnown(() => true);
      if (!isFirst) lists.restart();
      changed.emit({ state: started, changes: noChanges(), isNew: true });
    },
    onChanges(of, changes, events) {
      history.record(events);
      for (const { local_message_id: localId } of events) {
        if (typeof localId === 'string') outbox.confirm(localId);
      }
      outbox.confirmKnown((id) => changes.messages.has(id));
      notify(of, changes);
      for (const questions of [...unanswered.splice(0), changes.questions]) void ask(of, questions);
    },
    onStatus: (status, error) => statuses.emit({ status, error }),
  });

  return {
    get state() {
      return following.state;
    },
    get status() {
      return following.status;
    },
    get queueId() {
      return following.queueId;
    },
    started: following.started,
    retryNow: () => following.retryNow(),
    lists,
    outbox,
    connection,
    merge(change) {
      const changes = noChanges();
      change(state(), changes);
      notify(state(), changes);
    },
    subscribe: changed.subscribe,
    onStatus: statuses.subscribe,
    async stop() {
      outbox.stop();
      history.reset();
      await following.stop();
    },
  };
}

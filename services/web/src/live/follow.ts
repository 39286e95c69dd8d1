import {
  type AnyEvent,
  type Changes,
  type Connection,
  type Following,
  type Registered,
  type State,
  type Status,
  follow,
  isTransient,
  readState,
} from '@parley/client';
import { signal } from '@preact/signals';

import { noteChanges, setState } from './state.ts';

/** How the client stands with the server. */
export const status = signal<Status>('starting');

/** What views hear of beside the parts that they read. */
export interface Listener {
  /** The state is another: its queue was lost. */
  onStart?: (state: State) => void;
  onChanges?: (state: State, changes: Changes, events: readonly AnyEvent[]) => void;
}

const listeners = new Set<Listener>();

/** Hears of each batch of events, until the function that it answers is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let following: Following | null = null;

/** The queue that is followed, for what is sent with it. */
export const queueId = (): string | null => following?.queueId ?? null;

/** Follows the account's events. Resolves when there is a state. */
export async function startFollowing(
  connection: Connection,
  onEnded: (error: unknown) => void,
): Promise<void> {
  following = follow(connection, {
    onStart(state) {
      setState(state);
      for (const { onStart } of listeners) onStart?.(state);
    },
    onChanges(state, changes, events) {
      noteChanges(changes);
      for (const { onChanges } of listeners) onChanges?.(state, changes, events);
    },
    onStatus(next, error) {
      status.value = next;
      if (next === 'ended' && error !== undefined) onEnded(error);
    },
  });
  globalThis.addEventListener('online', tryNow);
  document.addEventListener('visibilitychange', tryNow);
  await following.started;
}

/** Somebody looks, or the network is back: what waits before its next try waits no more. */
export function tryNow(): void {
  if (document.visibilityState === 'visible') following?.retryNow();
}

export async function stopFollowing(): Promise<void> {
  const ended = following;
  following = null;
  globalThis.removeEventListener('online', tryNow);
  document.removeEventListener('visibilitychange', tryNow);
  await ended?.stop();
}

const refreshMs = 60_000;

/** Shows what is open to everyone. Spectators have no queue: the state is asked for anew every minute. */
export async function lookAround(connection: Connection): Promise<void> {
  const refresh = async () => {
    const registered = await connection.post<Registered>('/register', { client_capabilities: {} });
    setState(readState({ ...emptyState, ...registered }));
    status.value = 'online';
  };
  await refresh();
  setInterval(() => {
    refresh().catch((error: unknown) => {
      if (isTransient(error)) status.value = 'offline';
    });
  }, refreshMs);
}

/** What spectators are not told of. */
const emptyState = {
  realm_non_active_users: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  reminders: [],
  navigation_views: [],
};

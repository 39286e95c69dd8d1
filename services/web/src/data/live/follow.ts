import {
  type Client,
  type ClientOptions,
  type Connection,
  type MessageLists,
  type SpectatorLists,
  type Registered,
  type Status,
  capabilities,
  createClient,
  createSpectatorLists,
  isTransient,
  readState,
} from '@parley/client';
import { signal } from '@preact/signals';

import { gather, noteWriting } from './gather.ts';
import { hasState, applyChanges, peek, setState } from './state.ts';

/** Whether the client is connected to the server. */
export const status = signal<Status>('starting');

/** Whether the browser has a network at all. It knows at once; a poll that waits finds out later. */
export const hasNetwork = signal(navigator.onLine);

/** The most messages of a list. What is far from the viewport is dropped, and loaded again when needed. */
const listMax = 3000;

/** Who is followed: the client of whoever is signed in, or the lists of a spectator. */
const followed = signal<Client | null>(null);
const spectated = signal<SpectatorLists | null>(null);

/** The client of whoever is signed in: lists of messages, and what is sent. Null for spectators, who have no queue. */
export const client = (): Client | null => followed.peek();

/** The lists of messages of the session. */
export function lists(): MessageLists {
  const all = client()?.lists ?? spectated.peek();
  if (!all) throw new Error('There is no session yet.');
  return all;
}

interface FollowingOptions extends Pick<ClientOptions, 'earlyPage'> {
  onEnded: (error: unknown) => void;
}

/** Follows the account's events. Resolves when there is a state. */
export async function startFollowing(
  connection: Connection,
  { onEnded, earlyPage }: FollowingOptions,
): Promise<void> {
  const following = createClient(connection, { listMax, gather, ...(earlyPage && { earlyPage }) });
  followed.value = following;
  following.subscribe(({ state, changes, isNew }) => {
    if (isNew) setState(state);
    else applyChanges(changes);
  });
  following.onStatus(({ status: next, error }) => {
    status.value = next;
    if (next === 'ended' && error !== undefined) onEnded(error);
  });
  for (const name of ['online', 'offline']) globalThis.addEventListener(name, updateNetwork);
  document.addEventListener('visibilitychange', tryNow);
  document.addEventListener('input', noteWriting, { capture: true });
  await following.started;
}

function updateNetwork(): void {
  hasNetwork.value = navigator.onLine;
  if (hasNetwork.value) tryNow();
}

/** Retries at once, because somebody opened the page or the network is back. */
export function tryNow(): void {
  if (document.visibilityState === 'visible') client()?.retryNow();
}

export async function stopFollowing(): Promise<void> {
  const ended = client();
  followed.value = null;
  for (const name of ['online', 'offline']) globalThis.removeEventListener(name, updateNetwork);
  document.removeEventListener('visibilitychange', tryNow);
  document.removeEventListener('input', noteWriting, { capture: true });
  await ended?.stop();
}

const refreshMs = 60_000;

/** Shows what is open to everyone. Spectators have no queue: the state is asked for anew every minute. */
export async function spectate(connection: Connection): Promise<void> {
  const refresh = async () => {
    const registered = await connection.post<Registered>('/register', { client_capabilities: capabilities });
    const state = readState({ ...emptyState, ...registered, streams: registered.subscriptions });
    // What is on the screen stays there until it is loaded anew.
    if (hasState()) state.messages = peek().messages;
    setState(state);
    status.value = 'online';
    spectated.peek()?.refresh();
  };
  spectated.value = createSpectatorLists(connection, peek, { listMax });
  await refresh();
  setInterval(() => {
    refresh().catch((error: unknown) => {
      if (isTransient(error)) status.value = 'offline';
    });
  }, refreshMs);
}

/** The fields of a registration that the server does not send to spectators. */
const emptyState = {
  user_id: 0,
  user_settings: {},
  alert_words: [],
  muted_users: [],
  realm_bots: [],
  realm_user_groups: [],
  unsubscribed: [],
  never_subscribed: [],
  max_message_id: null,
  user_status: {},
  unread_msgs: { pms: [], streams: [], huddles: [], mentions: [] },
  starred_messages: [],
  recent_private_conversations: [],
  realm_non_active_users: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  reminders: [],
  navigation_views: [],
};

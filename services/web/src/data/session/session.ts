import { type Connection, RequestFailed, connect, isSignedOut } from '@parley/client';
import { signal } from '@preact/signals';

import { errorText } from '../../strings/errors.ts';
import { sessionText } from '../../strings/session.ts';
import { spectate, startFollowing, stopFollowing, tryNow } from '../live/follow.ts';
import { hasState } from '../live/state.ts';
import { takeEarly, takeEarlyPage } from './early-requests.ts';
import { forgetSearches } from './recent-searches.ts';
import { fetchServerSettings } from './server-settings.ts';
import { csrfToken, forgetSession, postForm } from './session-requests.ts';

/** Who uses the page. */
export type Session =
  | { kind: 'starting' }
  | { kind: 'signed-out'; refusal?: string }
  | { kind: 'unreachable'; error: string }
  | { kind: 'member' | 'spectator'; connection: Connection };

export const session = signal<Session>({ kind: 'starting' });

/** The connection of the session. It exists only while the chat is shown. */
export function connection(): Connection {
  const now = session.peek();
  if (now.kind !== 'member' && now.kind !== 'spectator') throw new Error('Nobody is signed in.');
  return now.connection;
}

export const isSpectator = (): boolean => session.value.kind === 'spectator';

/** Goes on with the browser's session, if it has one; else shows how to sign in. */
export async function start(): Promise<void> {
  session.value = { kind: 'starting' };
  try {
    if (csrfToken() === undefined) await askToSignIn();
    else await enter();
  } catch (error) {
    session.value = { kind: 'unreachable', error: errorText(error) };
  }
}

async function askToSignIn(refusal?: string): Promise<void> {
  document.title = (await fetchServerSettings()).realm_name;
  session.value = { kind: 'signed-out', ...(refusal !== undefined && { refusal }) };
}

async function enter(): Promise<void> {
  const way = connect({ baseUrl: '', credentials: 'session', fetch: fetchAsMember });
  try {
    await startFollowing(way, { earlyPage: takeEarlyPage, onEnded: (error) => void end(error) });
    session.value = { kind: 'member', connection: way };
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    forgetSession();
    await askToSignIn();
  }
}

/** A refusal of anything else ends the poll that waits: the next one says whether the session has ended. */
const fetchAsMember: typeof fetch = async (input, init) => {
  const response = await (takeEarly(input, init) ?? fetch(input, init));
  const isPoll = new URL(response.url).pathname.endsWith('/events');
  if (response.status === 401 && !isPoll) tryNow();
  return response;
};

/** The session has ended: by somebody else, or because it was long. */
async function end(cause: unknown): Promise<void> {
  if (session.peek().kind !== 'member') return;
  forgetSession();
  session.value = { kind: 'starting' };
  const isDeactivated = cause instanceof RequestFailed && cause.code.endsWith('_DEACTIVATED');
  try {
    await stopFollowing();
    await askToSignIn(isDeactivated ? errorText(cause) : sessionText.ended);
  } catch (error) {
    session.value = { kind: 'unreachable', error: errorText(error) };
  }
}

/**
 * Signs in with a password.
 * @throws RequestFailed
 */
export async function logIn(username: string, password: string): Promise<void> {
  await postForm('/login/', { username, password });
  // Whatever the page knows may be of another account. What was typed is kept in the browser.
  if (hasState()) location.reload();
  else await start();
}

export async function logOut(): Promise<void> {
  const { kind } = session.peek();
  if (kind === 'member') {
    await stopFollowing();
    await postForm('/logout/', {}).catch((error: unknown) => {
      if (!(error instanceof RequestFailed)) throw error;
    });
    forgetSession();
    forgetSearches();
  }
  // Whatever the page knew of the account is gone with it.
  location.assign('/');
}

/** Shows what is open to everyone. */
export async function enterAsSpectator(): Promise<void> {
  const way = connect({ baseUrl: '', credentials: 'none' });
  await spectate(way);
  session.value = { kind: 'spectator', connection: way };
}

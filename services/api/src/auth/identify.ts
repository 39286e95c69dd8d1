import type { Tx } from '@parley/db';
import type { Engine } from '@parley/engine';
import { notLoggedIn } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, botTypes } from '@parley/protocol';
import type { Context } from 'hono';

import type { Authenticator } from './authenticate.ts';
import type { RealmFinder } from './find-realm.ts';
import type { KeyGuard } from './key-guard.ts';
import type { Sessions } from './sessions.ts';

/**
 * Who may call. `user`: accounts. `cached`: accounts, which may have been authenticated up to a minute ago, for
 * sending, where the log checks the version of the rules again. `key`: accounts, and incoming-webhook bots by the API
 * key that the address carries as `api_key`. `spectator`: accounts, and everybody where the organization is open to the
 * public. `session`: accounts that are logged in in a browser. `optional`: everybody; who has credentials may send them
 * in any way, and may be shown more. `none`: everybody, and nobody is asked for credentials.
 */
export type Auth = 'user' | 'cached' | 'key' | 'spectator' | 'session' | 'optional' | 'none';

/** What an endpoint says about its callers. */
export interface Audience {
  method: string;
  auth: Auth;
  /** Whether incoming-webhook bots may call it. Almost all endpoints refuse them. */
  forWebhookBots: boolean;
}

/** What finds out who calls, and from where. */
export interface CallerDeps {
  realms: RealmFinder;
  authenticator: Authenticator;
  guardKeys: KeyGuard;
  sessions: Sessions;
  readonly addressOf: (c: Context) => string;
}

interface IdentifyDeps {
  engine: Engine;
  clock: Clock;
  callers: CallerDeps;
}

/** Whoever asks. */
export interface Caller {
  actor: Actor;
  /** Reads the account again, if its credentials are still right. Null for a spectator. */
  verify: ((tx: Tx) => Promise<Actor>) | null;
  /** The header by which the reply gives a browser a new cookie. */
  cookie?: string | undefined;
  /** What the session of a browser is known by. */
  sessionHash?: string;
}

/** The refusal of bots that only write. */
const notForWebhookBots = () =>
  new ApiError('UNAUTHORIZED', 'Incoming webhook bots cannot use this endpoint.');

/**
 * Returns the account that a request's Authorization header names, or its `api_key`; null where nobody is asked for
 * one.
 */
export async function identifyByHeader(
  c: Context,
  endpoint: Omit<Audience, 'method'>,
  realm: Realm,
  { engine, clock, callers }: IdentifyDeps,
): Promise<Caller | null> {
  const { authenticator, guardKeys } = callers;
  if (endpoint.auth === 'none') return null;
  if (endpoint.auth === 'spectator' && c.req.header('authorization') === undefined) {
    const spectator = await model.realms.findSpectator(
      await engine.dbOf(realm.id),
      realm,
      new Date(clock.nowMs()),
    );
    if (!spectator) throw notLoggedIn();
    return { actor: spectator, verify: null };
  }
  const address = callers.addressOf(c);
  const apiKey = endpoint.auth === 'key' ? c.req.query('api_key') : undefined;
  if (apiKey !== undefined) return await identifyByKey(realm, address, apiKey, { engine, callers });
  const credentials = await guardKeys.read(address, c.req.header('authorization'));
  const recalled = endpoint.auth === 'cached' ? authenticator.recall(realm, credentials) : undefined;
  const actor =
    recalled ??
    (await guardKeys.verify({ realm, address, credentials }, async () =>
      authenticator.confirm(await engine.dbOf(realm.id), realm, credentials),
    ));
  if (actor.botType === botTypes.incomingWebhook && !endpoint.forWebhookBots) {
    throw notForWebhookBots();
  }
  return { actor, verify: (tx) => authenticator.authenticate(tx, realm, credentials) };
}

/**
 * Returns the account of a browser's session. Whatever is no read has to show that a page of this site sent it.
 *
 * @throws UNAUTHENTICATED_USER, REALM_DEACTIVATED, USER_DEACTIVATED, CSRF_FAILED
 */
export async function identifyBySession(
  c: Context,
  endpoint: Omit<Audience, 'forWebhookBots'>,
  realm: Realm,
  { engine, clock, callers: { sessions, guardKeys, addressOf } }: IdentifyDeps,
): Promise<Caller | null> {
  if (endpoint.auth === 'none') return null;
  if (endpoint.auth === 'spectator' && c.req.header('cookie') === undefined) {
    const spectator = await model.realms.findSpectator(
      await engine.dbOf(realm.id),
      realm,
      new Date(clock.nowMs()),
    );
    if (spectator) return { actor: spectator, verify: null };
  }
  const session = sessions.read(c);
  const credentials = { email: '', apiKey: session.tokenHash };
  const actor = await guardKeys.verify({ realm, address: addressOf(c), credentials }, async () =>
    sessions.authenticate(await engine.dbOf(realm.id), realm, session),
  );
  const csrfToken = c.req.header('x-csrftoken');
  if (endpoint.method !== 'GET') sessions.assertOwnPage(session, csrfToken);
  return {
    actor,
    verify: (tx) => sessions.authenticate(tx, realm, session),
    cookie: sessions.renewedToken(session, csrfToken),
    sessionHash: session.tokenHash,
  };
}

/**
 * Returns the account that asks for a file, by Basic auth, `?api_key=` or a session; null without any.
 *
 * @throws UNAUTHORIZED for wrong credentials and for bots that only write, RATE_LIMIT_HIT for too many unknown keys
 */
export async function identifyReader(c: Context, realm: Realm, deps: IdentifyDeps): Promise<Caller | null> {
  const actor = await findReader(c, realm, deps);
  if (actor?.botType === botTypes.incomingWebhook) throw notForWebhookBots();
  return actor && { actor, verify: null };
}

async function findReader(
  c: Context,
  realm: Realm,
  { engine, callers }: IdentifyDeps,
): Promise<Actor | null> {
  const { authenticator, guardKeys, sessions } = callers;
  const address = callers.addressOf(c);
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const credentials = await guardKeys.read(address, header);
    return await guardKeys.verify({ realm, address, credentials }, async () =>
      authenticator.confirm(await engine.dbOf(realm.id), realm, credentials),
    );
  }
  const sent = c.req.query('api_key');
  if (sent !== undefined) {
    const apiKey = await guardKeys.readKey(address, sent);
    return await guardKeys.verify({ realm, address, credentials: { email: '', apiKey } }, async () =>
      authenticator.authenticateByKey(await engine.dbOf(realm.id), realm, apiKey),
    );
  }
  try {
    return await sessions.authenticate(await engine.dbOf(realm.id), realm, sessions.read(c));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/**
 * The incoming-webhook bot with an API key. The keys of other accounts open no address, where logs may keep them.
 *
 * @throws INVALID_API_KEY
 */
async function identifyByKey(
  realm: Realm,
  address: string,
  sent: string,
  { engine, callers: { authenticator, guardKeys } }: Omit<IdentifyDeps, 'clock'>,
): Promise<Caller> {
  const apiKey = await guardKeys.readKey(address, sent).catch(asInvalidKey);
  const actor = await guardKeys.verify({ realm, address, credentials: { email: '', apiKey } }, async () => {
    const found = await authenticator
      .authenticateByKey(await engine.dbOf(realm.id), realm, apiKey)
      .catch(asInvalidKey);
    if (found.botType !== botTypes.incomingWebhook) throw invalidKey();
    return found;
  });
  const credentials = { email: actor.email, apiKey };
  return { actor, verify: (tx) => authenticator.authenticate(tx, realm, credentials) };
}

function asInvalidKey(error: unknown): never {
  throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? invalidKey() : error;
}

const invalidKey = () => new ApiError('INVALID_API_KEY', 'This API key is not valid.');

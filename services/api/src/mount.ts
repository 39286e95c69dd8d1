import { type Database, isDatabaseAway } from '@parley/db';
import type { FileStore } from '@parley/files';
import {
  type BasicCredentials,
  internalError,
  jsonHeaders,
  notLoggedIn,
  readBasicAuth,
  silentParameters,
} from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import { type Publisher, type Teller, commit } from '@parley/log';
import { type Actor, type Realm, findSpectator, isSpectator } from '@parley/model';
import { ApiError, type QueueRecord, botTypes, notReady } from '@parley/protocol';
import type { Jobs } from '@parley/redis';
import type { Context } from 'hono';

import type { Admission } from './admission.ts';
import type { Authenticator } from './authenticate.ts';
import type { Call, Endpoint, LoginLimit } from './endpoint.ts';
import type { TemporaryPaths } from './files/temporary-path.ts';
import type { RealmFinder } from './find-realm.ts';
import { checkGates } from './gates.ts';
import { readParameters } from './parameters.ts';
import type { PlannedSender } from './plan-cache.ts';
import type { Budget, RateLimit } from './rate-limits.ts';
import { clientName, readRequest } from './request.ts';

export interface MountNeeds {
  db: Database;
  publisher: Publisher;
  teller: Teller;
  sender: PlannedSender;
  jobs: Jobs;
  realms: RealmFinder;
  authenticator: Authenticator;
  limits: { byUser: RateLimit; byAddress: RateLimit; logins: (realmId: number) => LoginLimit };
  apiKeyOf(user: { id: number; keyGeneration: number }): string;
  saveQueue(record: QueueRecord): Promise<void>;
  admit: Admission;
  store: FileStore;
  temporaryPaths: TemporaryPaths;
  addressOf(c: Context): string;
  clock: Clock;
  logger: Logger;
  isDevelopment: boolean;
}

const replyHeaders = Object.fromEntries(
  jsonHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, jsonHeaders[index + 1] ?? '']] : [])),
);

/** An API reply: JSON that nobody may keep. */
export function reply(body: object, status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: { ...replyHeaders, ...headers } });
}

/**
 * Serves one endpoint. All that endpoints have in common happens here, in the documented order: credentials, rate
 * limit, parameters, and after the handler the envelope, the unknown parameters, and every error's body.
 */
export function serve(endpoint: Endpoint, needs: MountNeeds): (c: Context) => Promise<Response> {
  const known = new Set([
    ...Object.keys(endpoint.params),
    ...Object.keys(endpoint.aliases),
    ...silentParameters,
  ]);

  return async (c) => {
    const startedMs = needs.clock.nowMs();
    const line: Record<string, unknown> = { method: endpoint.method, path: endpoint.path };
    let limitHeaders: Record<string, string> = {};
    const answer = async () => {
      const realm = await needs.realms.find(c.req.header('host'));
      line['realm'] = realm.name;
      const caller = await identify(c, endpoint, realm, needs);
      if (caller) line['user'] = caller.actor.id;
      limitHeaders = headersOf(await takeFromLimit(c, caller?.actor ?? null, needs), needs.clock.nowMs());
      if (caller) checkGates(caller.actor, endpoint.only);
      await using request = await readRequest(c, endpoint.upload);
      const { sources, names, files } = request;
      const client = clientName(sources, c.req.header('user-agent'));
      line['client'] = client;
      const params = readParameters(endpoint.params, sources, endpoint);
      const call = callOf(needs, realm, caller, client);
      const body = await endpoint.handle({ ...call, params, received: files } as Call<never, never>);
      const ignored = [...names].filter((name) => !known.has(name)).sort();
      return {
        result: 'success',
        msg: '',
        ...body,
        ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
      };
    };
    const response = await answer().then(
      (body) => reply(body, 200, limitHeaders),
      (error: unknown) => refuse(error, needs.logger, limitHeaders),
    );
    line['status'] = response.status;
    line['ms'] = needs.clock.nowMs() - startedMs;
    needs.logger.info(line, 'request');
    return response;
  };
}

/** The reply to whatever was thrown. A bug says nothing of itself to the outside, and all to the log. */
export function refuse(error: unknown, logger: Logger, headers: Record<string, string> = {}): Response {
  if (error instanceof ApiError) return reply(error.body(), error.status, { ...headers, ...error.headers });
  if (isDatabaseAway(error)) return refuse(notReady(), logger, headers);
  logger.error({ err: error }, 'request failed');
  return reply(internalError, 500, headers);
}

interface Caller {
  actor: Actor;
  /** Null of a spectator. */
  credentials: BasicCredentials | null;
}

async function identify(
  c: Context,
  endpoint: Endpoint,
  realm: Realm,
  needs: MountNeeds,
): Promise<Caller | null> {
  const { authenticator, db } = needs;
  if (endpoint.auth === 'none') return null;
  if (endpoint.auth === 'spectator' && c.req.header('authorization') === undefined) {
    const spectator = await findSpectator(db, realm);
    if (!spectator) throw notLoggedIn();
    return { actor: spectator, credentials: null };
  }
  const credentials = readBasicAuth(c.req.header('authorization'));
  const recalled = endpoint.auth === 'cached' ? authenticator.recall(realm, credentials) : undefined;
  const actor = recalled ?? (await authenticator.authenticate(db, realm, credentials));
  if (actor.botType === botTypes.incomingWebhook && !endpoint.forWebhookBots) {
    throw new ApiError('UNAUTHORIZED', 'This API is not available to incoming webhook bots.');
  }
  return { actor, credentials };
}

async function takeFromLimit(c: Context, actor: Actor | null, needs: MountNeeds): Promise<Budget> {
  return actor && !isSpectator(actor)
    ? await needs.limits.byUser.take(String(actor.id))
    : await needs.limits.byAddress.take(needs.addressOf(c));
}

const headersOf = ({ limit, remaining, resetMs }: Budget, nowMs: number) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil((nowMs + resetMs) / 1000)),
});

function callOf(
  needs: MountNeeds,
  realm: Realm,
  caller: Caller | null,
  client: string,
): Call<unknown, Actor | null> {
  const {
    db,
    publisher,
    teller,
    sender,
    jobs,
    authenticator,
    clock,
    logger,
    isDevelopment,
    limits,
    apiKeyOf,
    saveQueue,
    admit,
    store,
    temporaryPaths,
  } = needs;
  return {
    actor: caller?.actor ?? null,
    realm,
    params: {},
    client,
    clock,
    logger,
    isDevelopment,
    apiKeyOf,
    saveQueue,
    admit,
    received: [],
    store,
    temporaryPath: (pathId) => temporaryPaths.sign(pathId, clock.nowMs()),
    logins: limits.logins(realm.id),
    snapshot: (read) => db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' }),
    commit: (action) => commit({ db, publisher }, realm.id, action),
    aside: (write) => write(db),
    tell: (ephemeral) => teller.tell(realm.id, ephemeral),
    newestEphemeral: () => teller.newest(realm.id),
    ask: (name, id) => jobs.ask(name, id),
    send(recipient, text) {
      if (!caller?.credentials) throw new Error('Nobody is sending.');
      const { actor, credentials } = caller;
      const getActor = (tx: Parameters<Authenticator['authenticate']>[0]) =>
        authenticator.authenticate(tx, realm, credentials);
      return sender.send({ realm, actor, getActor, recipient, text });
    },
  };
}

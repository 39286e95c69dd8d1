import * as actions from '@parley/actions';
import type { Engine, MessageSender } from '@parley/engine';
import type { FileStore } from '@parley/files';
import { sessionChallenge, silentParameters } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type QueueRecord } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import { type Budget, type SharedRateLimiter, budgetHeaders } from '@parley/redis';
import type { Context } from 'hono';

import type { EmailChangeLimiter, PasswordGuesses } from '../auth/account-limits.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import { type RealmFinder, RealmRenamed, redirectHeaders } from '../auth/find-realm.ts';
import { type Caller, identifyByHeader, identifyBySession } from '../auth/identify.ts';
import type { KeyGuard } from '../auth/key-guard.ts';
import { logIn } from '../auth/log-in.ts';
import type { LoginLimiter, LoginPlace } from '../auth/login-limiter.ts';
import { assertRequirements } from '../auth/requirements.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { TemporaryPaths } from '../auth/temporary-path.ts';
import type { InvitationsContext, RequestContext } from '../endpoint/context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { RegistrationLimiter, SharedStates } from '../endpoint/registrations.ts';
import { piecesOf } from '../http/json-text.ts';
import { type RequestLine, bugsOf, requestLine } from '../http/observe-requests.ts';
import type { Outbox } from '../http/outbox.ts';
import { readParameters } from '../http/parameters.ts';
import type { ReadTurns, Reply, Requester } from '../http/read-turns.ts';
import { replyInPieces } from '../http/reply-in-pieces.ts';
import { refuse, replyHeaders, replyWith, textOf } from '../http/reply.ts';
import { type RawDelivery, clientName, readRequest } from '../http/request.ts';

export interface HandlerDeps {
  engine: Engine;
  realms: RealmFinder;
  authenticator: Authenticator;
  limits: {
    byUser: SharedRateLimiter;
    byAddress: SharedRateLimiter;
    logins: (place: LoginPlace) => LoginLimiter;
  };
  guardKeys: KeyGuard;
  passwordGuesses: PasswordGuesses;
  emailChanges: EmailChangeLimiter;
  invitations: InvitationsContext;
  sessions: Sessions;
  signIn(realm: Realm): SignIn;
  readonly apiKeyOf: (user: { id: number; keyGeneration: number }) => string;
  saveQueue(record: QueueRecord): Promise<void>;
  limitRegistrations: RegistrationLimiter;
  sharedStates: SharedStates;
  outbox: Outbox;
  reads: ReadTurns;
  store: FileStore;
  uploadQuotas: actions.attachments.UploadQuotas;
  exportLimits: actions.exports.ExportLimits;
  temporaryPaths: TemporaryPaths;
  push: PushClient;
  canSendMail: boolean;
  addressOf(c: Context): string;
  clock: Clock;
  logger: Logger;
  isDevelopment: boolean;
}

/**
 * Serves an endpoint. Everything that endpoints have in common happens here, in the documented order: realm,
 * credentials, rate limit, required roles, parameters, the endpoint's own handler; then the reply's envelope with the
 * unknown parameters, or the body of the error.
 */
export function createHandler(
  endpoint: Endpoint,
  deps: HandlerDeps,
  { bySession = false } = {},
): (c: Context) => Promise<Response> {
  const identify = bySession ? identifyBySession : identifyByHeader;
  const knownNames = new Set([
    ...Object.keys(endpoint.params),
    ...Object.keys(endpoint.aliases),
    ...silentParameters,
  ]);

  async function inTurn(caller: Caller | null, c: Context, work: () => Promise<Reply>): Promise<Reply> {
    return endpoint.method === 'GET' ? await deps.reads.take(requesterOf(caller, c), work) : await work();
  }

  function requesterOf(caller: Caller | null, c: Context): Requester {
    const hasAccount = caller && !model.realms.isSpectator(caller.actor);
    return hasAccount ? { userId: caller.actor.id } : { address: deps.addressOf(c) };
  }

  async function replyTo(c: Context, body: object, headers: Record<string, string>): Promise<Reply> {
    const pieces = piecesOf(body);
    if (pieces) {
      const allHeaders = Object.assign({}, replyHeaders, headers);
      // What others have too costs little.
      return { response: await replyInPieces(c, pieces, allHeaders, deps.outbox), length: 0 };
    }
    const text = textOf(body);
    const response =
      endpoint.redirects && 'url' in body
        ? replyWith(text, 302, { ...headers, Location: String(body.url) })
        : replyWith(text, 200, headers);
    return { response, length: text.length };
  }

  return async (c) => {
    const line = requestLine(c);
    let limitHeaders: Record<string, string> = {};
    const serve = async () => {
      const { handleAtRoot } = endpoint;
      const realm = await deps.realms[handleAtRoot ? 'findUnlessRoot' : 'find'](c.req.header('host'));
      line.realm = realm?.name;
      const caller = realm && (await identify(c, endpoint, realm, deps));
      if (caller) line.user = caller.actor.id;
      limitHeaders = budgetHeaders(await takeFromLimit(c, caller?.actor ?? null, deps), deps.clock.nowMs());
      if (caller) assertRequirements(caller.actor, endpoint.requires);
      if (caller) await recordActivity(caller.actor, deps);
      await using request = await readRequest(c, requesterOf(caller ?? null, c), endpoint);
      const { sources, names, files, delivery } = request;
      const client = clientName(sources, c.req.header('user-agent'));
      line.client = client;
      const params = readParameters(endpoint.params, sources, endpoint);
      const ignored = [...names].filter((name) => !knownNames.has(name)).sort();
      const succeed = (fields: object | undefined) => {
        const body = {
          result: 'success',
          msg: '',
          ...fields,
          ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
        };
        return replyTo(c, body, limitHeaders);
      };
      const handleAs = (realm: Realm, current: Caller | null) => {
        const request = {
          realm,
          caller: current,
          address: deps.addressOf(c),
          client,
          received: files,
          delivery,
          line,
        };
        const context = { ...contextOf(deps, request), params };
        return inTurn(current, c, async () =>
          succeed(await endpoint.handle(context as RequestContext<never, never>)),
        );
      };
      const { response } = realm
        ? await handleAs(realm, caller).catch(async (error: unknown) => {
            if (!(error instanceof model.users.ActorChanged)) throw error;
            const current = await identify(c, endpoint, realm, deps);
            if (current) assertRequirements(current.actor, endpoint.requires);
            return await handleAs(realm, current);
          })
        : await succeed(
            await handleAtRoot?.({
              client,
              isDevelopment: deps.isDevelopment,
              params: params as never,
              push: deps.push,
              snapshot: (read) => deps.engine.snapshot(read),
            }),
          );
      return response;
    };
    const serveAgain = (error: unknown) => {
      if (!(error instanceof RealmRenamed)) throw error;
      deps.realms.forget(error.realm);
      return serve();
    };
    return await deps.engine
      .whileAnswering(() => serve().catch(serveAgain))
      .catch((error: unknown) => {
        if (error instanceof ApiError) line.code = error.code;
        return refuse(
          error,
          bugsOf(c, deps.logger),
          { ...limitHeaders, ...redirectHeaders(error, c.req.url) },
          bySession ? sessionChallenge : {},
        );
      });
  };
}

/** Whoever calls is active: the first call of a day records it. */
async function recordActivity(actor: Actor, { engine, clock }: HandlerDeps): Promise<void> {
  const nowMs = clock.nowMs();
  if (model.realms.isSpectator(actor) || !actions.presence.isFirstActivity(actor, nowMs)) return;
  await engine.writeWithoutLog(actor.realm.id, actions.presence.recordActivity, { actor, nowMs });
}

/** Takes a request from the caller’s rate limit. */
export async function takeFromLimit(c: Context, actor: Actor | null, deps: HandlerDeps): Promise<Budget> {
  return actor && !model.realms.isSpectator(actor)
    ? await deps.limits.byUser.take(String(actor.id))
    : await deps.limits.byAddress.take(deps.addressOf(c));
}

interface Request {
  realm: Realm;
  caller: Caller | null;
  address: string;
  client: string;
  received: RequestContext<unknown, unknown>['files']['received'];
  delivery: RawDelivery | null;
  line: RequestLine;
}

/** The request as handlers see it. */
export function contextOf(
  deps: HandlerDeps,
  { realm, caller, address, client, received, delivery, line }: Request,
): RequestContext<unknown, Actor | null> {
  const { engine, clock, isDevelopment, limits, apiKeyOf, store, temporaryPaths } = deps;
  const signIn = deps.signIn(realm);
  return {
    actor: caller?.actor ?? null,
    realm,
    params: {},
    client,
    delivery,
    clock,
    isDevelopment,
    snapshot: (read) => engine.snapshot(read),
    perform(action, input) {
      line.action = action.actionName;
      return engine.perform(realm.id, action, input, caller?.verify ? caller.actor : undefined);
    },
    writeWithoutLog: (action, input) => engine.writeWithoutLog(realm.id, action, input),
    sendMessage(recipient, text, mirroredSenderId) {
      line.action = actions.messages.send.actionName;
      const sender = senderOf(realm, caller, mirroredSenderId);
      return engine.sendMessage({ realm, sender, recipient, text });
    },
    auth: {
      apiKeyOf,
      signIn,
      logIn: (username, password) =>
        logIn(
          { engine, clock, realm, logins: limits.logins({ realm, address }), signIn },
          username,
          password,
        ),
      passwordGuesses: deps.passwordGuesses,
      emailChanges: deps.emailChanges,
    },
    invitations: deps.invitations,
    canMail: deps.canSendMail,
    push: deps.push,
    exports: { limits: deps.exportLimits },
    files: {
      received,
      store,
      quotas: deps.uploadQuotas,
      temporaryPath: (pathId) => temporaryPaths.sign(pathId, clock.nowMs()),
    },
    queues: {
      save: (record) => deps.saveQueue(record),
      limitRegistrations: deps.limitRegistrations,
      sharedStates: deps.sharedStates,
      newestEphemeral: () => engine.newestEphemeral(realm.id),
    },
  };
}

/**
 * The caller as a sender, or the one in whose name the caller mirrors. The credentials are verified again whenever a
 * message is planned.
 */
function senderOf(realm: Realm, caller: Caller | null, mirroredId: number | undefined): MessageSender {
  if (!caller?.verify) throw new Error('Nobody is sending.');
  const { actor, verify: read } = caller;
  // The key generation is part of it, so that a plan made with a new API key does not serve an old one.
  const key = `${actor.id} ${actor.keyGeneration}`;
  if (mirroredId === undefined) return { key, read };
  return {
    key: `${key} as ${mirroredId}`,
    async read(tx) {
      actions.messages.assertMayForge(await read(tx));
      return await model.users.getActiveActor(tx, realm, mirroredId);
    },
  };
}

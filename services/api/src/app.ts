import type { attachments, exports } from '@parley/actions';
import { createSchemaCheck } from '@parley/db';
import { createEngine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import { deriveApiKey, methodNotAllowed } from '@parley/http';
import { type Clock, type Logger, pause } from '@parley/kit';
import * as model from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import {
  type RateLimitRule,
  type Redis,
  createRegistry,
  createSigner,
  createSharedRateLimiter,
} from '@parley/redis';
import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';

import { createEmailChangeLimiter, createPasswordGuesses } from './auth/account-limits.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import { createRealmFinder } from './auth/find-realm.ts';
import { createKeyGuard } from './auth/key-guard.ts';
import { createLoginLimiters } from './auth/login-limiter.ts';
import { createOidc } from './auth/oidc.ts';
import { createSessions } from './auth/sessions.ts';
import { type SignInOptions, createSignIn } from './auth/sign-in.ts';
import { createTemporaryPaths } from './auth/temporary-path.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { createConfirmationRoutes } from './files/confirmations.ts';
import { createFileRoutes } from './files/routes.ts';
import { holdRefusals } from './http/hold-refusals.ts';
import { measureLateness } from './http/lateness.ts';
import { bugsOf, observeRequests } from './http/observe-requests.ts';
import { createOutbox } from './http/outbox.ts';
import { type ReadTurns, createReadTurns } from './http/read-turns.ts';
import { refuse, reply } from './http/reply.ts';
import { shedLoad } from './http/shed-load.ts';
import { createReferenceRoutes } from './openapi/reference.ts';
import { createJoinRoutes } from './pages/join.ts';
import { createLoginRoutes } from './pages/login.ts';
import { createOidcRoutes } from './pages/oidc.ts';
import { createUnsubscribeRoutes } from './pages/unsubscribe.ts';
import { type RegistrationLimits, createRegistrationLimiter } from './register/limiter.ts';
import { createSharedStates } from './register/shared-state.ts';
import { endpoints as allEndpoints } from './routes/index.ts';
import { type HandlerDeps, createHandler } from './serve/handler.ts';
import { emojiDataPath, serveEmojiData } from './static/emoji-data.ts';
import { pictures } from './static/pictures.ts';
import { createTusRoutes } from './tus/routes.ts';
import { createWebRoutes } from './web/routes.ts';

/** Rate limits, each with rules that all apply. */
interface ApiLimits {
  byUser: RateLimitRule[];
  /** Without credentials. */
  byAddress: RateLimitRule[];
  /** Attempts per username at one address. */
  logins: RateLimitRule[];
  /** Attempts at one address that failed. */
  loginsByAddress: RateLimitRule[];
  /** Wrong API keys that an address presents. */
  wrongKeys: RateLimitRule[];
  /** Changes of email address that an account asks for. */
  emailChanges: RateLimitRule[];
}

export interface ApiDeps {
  databaseUrl: string;
  databaseConnections: number;
  redis: Redis;
  clock: Clock;
  logger: Logger;
  secret: string;
  /** The addresses under which organizations are served. */
  site: model.realms.Site;
  partitions: number;
  isDevelopment: boolean;
  limits: ApiLimits;
  registrations: RegistrationLimits;
  /** Requests that are answered at once; more are told to come back. */
  requestsAtOnce: number;
  /** Event queues that a user may have at once. */
  queuesPerUser: number;
  /** The ways to sign in beside passwords. */
  signIn: SignInOptions;
  /** Whether mails are sent. */
  canSendMail: boolean;
  /** The most invitations by email of an organization in a day; null for any number. */
  invitationsPerDay: number | null;
  store: FileStore;
  /** Notifies phones. */
  push: PushClient;
  uploadQuotas: attachments.UploadQuotas;
  /** What administrators may export. */
  exportLimits: exports.ExportLimits;
  readonly addressOf: (c: Context) => string;
  /** The turns in which reads are served; by default, those of a deployment. */
  reads?: ReadTurns;
  /** Aborts when the node drains. */
  stop?: AbortSignal;
  /** The endpoints to serve; all by default. */
  endpoints?: readonly Endpoint[];
}

/** Clients give up after some seconds. What has waited this long already has no more than these left. */
const lateMsMax = 1000;
/** Large replies that slow readers have not taken yet. */
const repliesBytesMax = 256 * 1024 * 1024;

/** Creates the application of an API node: it builds what handlers need and mounts the endpoints. It does not listen. */
export function createApp(deps: ApiDeps) {
  const { redis, clock, logger, secret, partitions, limits, endpoints = allEndpoints } = deps;
  const { databaseUrl, databaseConnections: connectionsMax } = deps;
  const engine = createEngine({
    databaseUrl,
    name: 'api',
    connectionsMax,
    redis,
    secret,
    clock,
    logger,
    partitions,
  });
  const registry = createRegistry(redis, createSigner(secret), clock);

  const limitRegistrations = createRegistrationLimiter(deps.registrations);

  const handlerDeps: HandlerDeps = {
    engine,
    realms: createRealmFinder({ db: engine.db, site: deps.site }),
    authenticator: createAuthenticator({ secret }),
    limits: {
      byUser: createSharedRateLimiter(redis, 'user', limits.byUser, clock),
      byAddress: createSharedRateLimiter(redis, 'address', limits.byAddress, clock),
      logins: createLoginLimiters({
        redis,
        clock,
        rules: limits.logins,
        rulesByAddress: limits.loginsByAddress,
        logger,
      }),
    },
    passwordGuesses: createPasswordGuesses(createSharedRateLimiter(redis, 'password', limits.logins, clock)),
    emailChanges: createEmailChangeLimiter({
      canSendMail: deps.canSendMail,
      limiter: createSharedRateLimiter(redis, 'email-change', limits.emailChanges, clock),
    }),
    invitations: {
      perDayMax: deps.invitationsPerDay,
      urlOf: (realm, id) =>
        model.invitations.invitationUrl(realm, model.invitations.invitationKey(secret, id)),
      assertCanMail() {
        if (deps.canSendMail) return;
        const msg = 'Nobody can be invited by email: this server is not set up to send email.';
        throw new ApiError('BAD_REQUEST', msg);
      },
    },
    signIn: createSignIn(deps.signIn),
    sessions: createSessions({ engine, clock, secret, isHttps: deps.site.baseUrl.startsWith('https:') }),
    guardKeys: createKeyGuard({ redis, clock, rules: limits.wrongKeys, logger }),
    apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secret, id, keyGeneration),
    async saveQueue(record) {
      const saved = { record, ttlSeconds: record.idleSeconds };
      await registry.add(saved, deps.queuesPerUser).catch((error: unknown) => {
        throw error instanceof ApiError ? error : notReady('redis');
      });
    },
    limitRegistrations,
    sharedStates: createSharedStates(),
    outbox: createOutbox(repliesBytesMax),
    reads: deps.reads ?? createReadTurns(),
    push: deps.push,
    canSendMail: deps.canSendMail,
    store: deps.store,
    uploadQuotas: deps.uploadQuotas,
    exportLimits: deps.exportLimits,
    temporaryPaths: createTemporaryPaths(secret),
    addressOf: deps.addressOf,
    clock,
    logger,
    isDevelopment: deps.isDevelopment,
  };

  const app = new Hono({ getPath: routedPath });
  app.use(observeRequests(logger));
  const lateness = measureLateness();
  app.use(
    shedLoad({
      requestsMax: deps.requestsAtOnce,
      lateMsMax,
      lateMs: lateness.ms,
      refuse: () => refuse(notReady(), logger),
    }),
  );
  app.use(holdRefusals({ wait: () => pause(500), heldMax: 2000 }));
  app.get('/health', () => Response.json({ result: 'success', msg: '' }));
  const isMigrated = createSchemaCheck(engine.sql);
  app.get('/ready', async () => {
    if (!(await isMigrated()) || deps.stop?.aborted) return refuse(notReady(), logger);
    return Response.json({ result: 'success', msg: '' });
  });
  app.get(emojiDataPath, serveEmojiData);
  for (const [path, serve] of Object.entries(pictures)) app.get(path, serve);

  const served = endpoints.filter(({ developmentOnly }) => deps.isDevelopment || !developmentOnly);
  for (const endpoint of served) {
    app.on(endpoint.method, patternOf(endpoint), createHandler(endpoint, handlerDeps));
  }
  app.route('/', createLoginRoutes(handlerDeps));
  if (deps.signIn.oidc) {
    const oidc = createOidc({
      ...deps.signIn.oidc,
      secret,
      isDevelopment: deps.isDevelopment,
      clock,
      logger,
    });
    const isHttps = deps.site.baseUrl.startsWith('https:');
    app.route('/', createOidcRoutes({ ...handlerDeps, oidc, isHttps }));
  }
  for (const endpoint of served.filter(({ auth }) => auth !== 'none' && auth !== 'key')) {
    const pattern = patternOf(endpoint).replace(/^\/api\/v1/, '/json');
    app.on(endpoint.method, pattern, createHandler(endpoint, handlerDeps, { bySession: true }));
  }
  for (const pattern of new Set(served.map(patternOf))) {
    const methods = served.filter((endpoint) => patternOf(endpoint) === pattern).map(({ method }) => method);
    app.all(pattern, (c) => {
      const allow = {
        Allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
      };
      if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: allow });
      return reply(methodNotAllowed(methods), 405, allow);
    });
  }
  app.route('/', createFileRoutes(handlerDeps));
  app.route('/', createConfirmationRoutes({ ...handlerDeps, secret }));
  app.route('/', createJoinRoutes({ ...handlerDeps, secret }));
  app.route('/', createUnsubscribeRoutes({ ...handlerDeps, secret }));
  app.route('/', createTusRoutes(handlerDeps));
  app.route('/', createReferenceRoutes(served));
  app.route('/', createWebRoutes(handlerDeps));
  app.notFound(() => refuse(new ApiError('NOT_FOUND', 'There is nothing at this address.'), logger));
  app.onError((error, c) => refuse(error, bugsOf(c, logger)));

  return Object.assign(app, {
    isHttps: deps.site.baseUrl.startsWith('https:'),
    refuse: (error: unknown) => refuse(error, logger),
    async [Symbol.asyncDispose]() {
      lateness[Symbol.dispose]();
      limitRegistrations[Symbol.dispose]();
      await engine[Symbol.asyncDispose]();
    },
  });
}

const patternOf = ({ path, hasSlashes }: Endpoint) => `/api/v1${path}${hasSlashes ? '{.+}' : ''}`;

const uploadPaths = /^(?:\/api\/v1)?\/user_uploads\//;

/** The path by which a request finds its handler. In the path of an upload, a slash may be encoded. */
function routedPath(request: Request): string {
  const path = getPath(request);
  return uploadPaths.test(path) ? path.replaceAll(/%2f/gi, '/') : path;
}

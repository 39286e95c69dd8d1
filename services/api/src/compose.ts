import { type attachments, type exports, vapidKeys } from '@parley/actions';
import { createSchemaCheck } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import { deriveApiKey } from '@parley/http';
import { type Clock, type Logger, type Secrets, FairQueue, memoryBudget, showMemory } from '@parley/kit';
import * as model from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import {
  type RateLimitRule,
  type Redis,
  type SharedRateLimiter,
  createIdForms,
  createRegistry,
  createSigner,
  createSharedRateLimiter,
} from '@parley/redis';
import { type SearchOptions, createSearchEngine } from '@parley/search';
import type { Context } from 'hono';

import {
  createEmailChangeLimiter,
  createPasswordGuesses,
  createPasswordResetLimiter,
} from './auth/account-limits.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import { createRealmFinder } from './auth/find-realm.ts';
import { createKeyGuard } from './auth/key-guard.ts';
import { createLoginLimiters } from './auth/login-limiter.ts';
import { createOidc } from './auth/oidc.ts';
import { createRealmLanguages } from './auth/realm-languages.ts';
import { createSessions } from './auth/sessions.ts';
import { type SignInOptions, createSignIn } from './auth/sign-in.ts';
import { createTemporaryPaths } from './auth/temporary-path.ts';
import type { Endpoint } from './endpoint/kinds.ts';
import { createThumbnails } from './files/thumbnails.ts';
import { ReadTurns } from './http/read-turns.ts';
import { createReplyBudget } from './http/reply-budget.ts';
import { createDocument } from './openapi/document.ts';
import { taggedText } from './openapi/reference.ts';
import { createSharedPresences } from './presence/presences.ts';
import { type RegistrationLimits, createRegistrationLimiter } from './register/limiter.ts';
import { createQueueBuckets } from './register/queue-id.ts';
import { createSharedStates } from './register/shared-state.ts';
import type { ServeDeps } from './serve/deps.ts';
import { createClientFiles } from './static/client-files.ts';

/** Rate limits, each with rules that all apply. */
interface ApiLimits {
  byUser: RateLimitRule[];
  /** Without credentials, and what refused credentials cost beside. */
  byAddress: RateLimitRule[];
  /** Files that an account reads. */
  filesByUser: RateLimitRule[];
  /** Files that are read without credentials. */
  filesByAddress: RateLimitRule[];
  /** Attempts per username at one address. */
  logins: RateLimitRule[];
  /** Attempts at one address that failed. */
  loginsByAddress: RateLimitRule[];
  /** Wrong API keys that an address presents. */
  wrongKeys: RateLimitRule[];
  /** Changes of email address that an account asks for. */
  emailChanges: RateLimitRule[];
  /** Links for forgotten passwords, of an account. */
  passwordResets: RateLimitRule[];
  /** Links for forgotten passwords that are asked for from one address. */
  passwordResetsByAddress: RateLimitRule[];
}

export interface ApiOptions {
  databaseUrl: string;
  /** Replicas of it, which answer where they would answer the same; none by default. */
  replicaUrls?: readonly string[];
  databaseConnections: number;
  redis: Redis;
  clock: Clock;
  logger: Logger;
  secrets: Secrets;
  /** The addresses under which organizations are served. */
  site: model.realms.Site;
  partitions: number;
  isDevelopment: boolean;
  limits: ApiLimits;
  registrations: RegistrationLimits;
  /** Memory for what registrations of all organizations share. */
  sharedStateBytesMax: number;
  /** Requests that are answered at once; more are told to come back. */
  requestsAtOnce: number;
  /** How late this process may be with everything, in milliseconds, before it refuses requests; by default, a second. */
  lateMsMax?: number;
  /** Event queues that a user may have at once. */
  queuesPerUser: number;
  /** The ways to sign in beside passwords. */
  signIn: SignInOptions;
  /** Whether browsers run the client’s service worker; by default, they do. */
  hasServiceWorker?: boolean;
  /** Whether browsers are sent notifications; by default, they are. */
  hasWebPush?: boolean;
  /** Whether mails are sent. */
  canSendMail: boolean;
  /** The most invitations by email of an organization in a day; null for any number. */
  invitationsPerDay: number | null;
  store: FileStore;
  /** Notifies phones. */
  push: PushClient;
  /** The search engine that is asked beside Postgres; none by default. */
  search?: SearchOptions | null;
  uploadQuotas: attachments.UploadQuotas;
  /** What administrators may export. */
  exportLimits: exports.ExportLimits;
  /** The largest archive that owners may import; 0 if they may import none. */
  importBytesMax: number;
  readonly addressOf: (c: Context) => string;
  /** The turns in which reads are served; by default, those of a deployment. */
  reads?: Pick<ReadTurns, 'take' | 'search'>;
  /** Aborts when the node drains. */
  stop?: AbortSignal;
  /** The endpoints to serve; all by default. */
  endpoints?: readonly Endpoint[];
}

/** What requests are served with, and what there is to dispose of in the end. */
export interface Composed extends AsyncDisposable {
  deps: ServeDeps;
}

/** Builds what requests need of the options of a node. */
export function compose(options: ApiOptions, served: readonly Endpoint[]): Composed {
  const { redis, clock, logger, secrets } = options;
  const engine = createEngine({
    databaseUrl: options.databaseUrl,
    replicaUrls: options.replicaUrls ?? [],
    name: 'api',
    connectionsMax: options.databaseConnections,
    redis,
    secrets,
    clock,
    logger,
    partitions: options.partitions,
  });
  const queues = composeQueues(options);
  const byAddress = createSharedRateLimiter(redis, 'address', options.limits.byAddress, clock);
  const replyBudget = createReplyBudget(memoryBudget('replies'));
  showMemory('replies', replyBudget);
  const search = options.search ? createSearchEngine(options.search, { clock, logger }) : null;
  const deps: ServeDeps = {
    engine,
    search,
    clock,
    logger,
    isDevelopment: options.isDevelopment,
    callers: composeCallers(options, engine, byAddress),
    limits: composeLimits(options, byAddress),
    auth: composeAuth(options),
    invitations: composeInvitations(options),
    queues,
    replyBudget,
    turns: {
      reads: options.reads ?? new ReadTurns(),
      // A request that writes holds a chunk in memory.
      uploads: new FairQueue({
        atOnce: { all: Number.POSITIVE_INFINITY, ofCaller: 4 },
        waitingMax: { all: Number.POSITIVE_INFINITY, ofCaller: 20 },
      }),
    },
    push: options.push,
    vapidKeyOf: async (realmId) =>
      options.hasWebPush === false
        ? null
        : (await vapidKeys.ensure(await engine.dbOf(realmId), { realmId, secrets })).publicKey,
    canMail: options.canSendMail,
    presences: createSharedPresences(engine),
    files: {
      store: options.store,
      quotas: options.uploadQuotas,
      temporaryPaths: createTemporaryPaths(secrets),
      thumbnail: createThumbnails(options.store),
    },
    exports: { limits: options.exportLimits },
    imports: { bytesMax: options.importBytesMax },
    pages: composePages(options, { engine, served }),
    node: {
      isMigrated: createSchemaCheck(engine.sql),
      get isDraining() {
        return options.stop?.aborted ?? false;
      },
    },
  };
  return {
    deps,
    async [Symbol.asyncDispose]() {
      queues.limitRegistrations[Symbol.dispose]();
      await search?.[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

const isHttps = ({ site }: ApiOptions) => site.baseUrl.startsWith('https:');

const composeCallers = (
  options: ApiOptions,
  engine: Engine,
  byAddress: SharedRateLimiter,
): ServeDeps['callers'] => {
  const { redis, clock, logger, secrets, site, limits, addressOf } = options;
  return {
    realms: createRealmFinder({ db: engine.db, site }),
    authenticator: createAuthenticator({ secrets, servers: engine.servers, logger }),
    guardKeys: createKeyGuard({ redis, clock, rules: limits.wrongKeys, byAddress, logger }),
    sessions: createSessions({ engine, clock, secrets, isHttps: isHttps(options) }),
    addressOf,
  };
};

const composeLimits = (
  { redis, clock, logger, limits }: ApiOptions,
  byAddress: SharedRateLimiter,
): ServeDeps['limits'] => ({
  requests: { byUser: createSharedRateLimiter(redis, 'user', limits.byUser, clock), byAddress },
  files: {
    byUser: createSharedRateLimiter(redis, 'files-user', limits.filesByUser, clock),
    byAddress: createSharedRateLimiter(redis, 'files-address', limits.filesByAddress, clock),
  },
  logins: createLoginLimiters({
    redis,
    clock,
    rules: limits.logins,
    rulesByAddress: limits.loginsByAddress,
    byAddress,
    logger,
  }),
});

const composeAuth = ({
  redis,
  clock,
  secrets,
  limits,
  canSendMail,
  signIn,
}: ApiOptions): ServeDeps['auth'] => ({
  apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secrets[0], id, keyGeneration),
  signIn: createSignIn(signIn),
  passwordGuesses: createPasswordGuesses(createSharedRateLimiter(redis, 'password', limits.logins, clock)),
  emailChanges: createEmailChangeLimiter({
    canSendMail,
    limiter: createSharedRateLimiter(redis, 'email-change', limits.emailChanges, clock),
  }),
  passwordResets: createPasswordResetLimiter({
    canSendMail,
    byEmail: createSharedRateLimiter(redis, 'password-reset', limits.passwordResets, clock),
    byAddress: createSharedRateLimiter(
      redis,
      'password-reset-address',
      limits.passwordResetsByAddress,
      clock,
    ),
  }),
});

const composeInvitations = ({
  secrets,
  invitationsPerDay,
  canSendMail,
}: ApiOptions): ServeDeps['invitations'] => ({
  perDayMax: invitationsPerDay,
  urlOf: (realm, id) =>
    model.invitations.invitationUrl(realm, model.invitations.invitationKey(secrets[0], id)),
  assertCanMail() {
    if (canSendMail) return;
    const msg = 'This server cannot send email, so nobody can be invited by email.';
    throw new ApiError('BAD_REQUEST', msg);
  },
});

const composeQueues = ({
  redis,
  clock,
  secrets,
  queuesPerUser,
  registrations,
  sharedStateBytesMax,
}: ApiOptions) => {
  const signer = createSigner(secrets);
  const registry = createRegistry(redis, signer, clock);
  return {
    idForm: createIdForms(redis, signer, clock),
    bucketsOf: createQueueBuckets(),
    async save(record) {
      const saved = { record, ttlSeconds: record.idleSeconds };
      await registry.add(saved, queuesPerUser).catch((error: unknown) => {
        throw error instanceof ApiError ? error : notReady('redis');
      });
    },
    limitRegistrations: createRegistrationLimiter(registrations),
    sharedStates: createSharedStates(sharedStateBytesMax),
  } satisfies ServeDeps['queues'];
};

const composePages = (
  options: ApiOptions,
  { engine, served }: { engine: Engine; served: readonly Endpoint[] },
): ServeDeps['pages'] => {
  const { secrets, signIn, isDevelopment, clock, logger } = options;
  let document: ReturnType<ServeDeps['pages']['apiDocument']> | undefined;
  return {
    languageOf: createRealmLanguages(engine.db),
    oidc: signIn.oidc && createOidc({ ...signIn.oidc, secrets, isDevelopment, clock, logger }),
    links: {
      readInvitation: (key) => model.invitations.readInvitationKey(secrets, key),
      readUnsubscription: (key) => model.notifications.readUnsubscribeKey(secrets, key),
      readEmailChange: (key) => model.emailChanges.readEmailChangeKey(secrets, key),
      isPasswordReset: (key, account) => model.users.isPasswordResetKeyOf(secrets, key, account),
    },
    isHttps: isHttps(options),
    clientFiles: createClientFiles(isDevelopment),
    hasServiceWorker: options.hasServiceWorker ?? true,
    apiDocument: () => (document ??= createDocument(served).then((made) => taggedText(JSON.stringify(made)))),
  };
};

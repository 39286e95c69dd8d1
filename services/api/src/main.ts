import { setFlagsFromString } from 'node:v8';

import { createFileStore, filesConfig } from '@parley/files';
import {
  canSendMail,
  commonConfig,
  createLogger,
  exitAfter,
  mailConfig,
  readConfig,
  removeLeftFolders,
  secretsOf,
  shutdownSignal,
  systemClock,
  warnOfShortMemory,
} from '@parley/kit';
import { createPushClient, pushConfig } from '@parley/push';
import { announceNode, connectRedis, createSigner } from '@parley/redis';
import { searchConfig, searchOptions } from '@parley/search';
import { createNodeMeasure, startOperationsServer, startTracing, telemetryConfig } from '@parley/telemetry';

import { createApp } from './app.ts';
import { apiConfig, signInOptions } from './config.ts';
import { createRemoteAddress } from './http/remote-address.ts';
import { createApiServer } from './http/server.ts';

// Replies are large and short-lived: the heap is collected before it has grown much, or it would take twice the memory.
setFlagsFromString('--heap-growing-percent=30');

const config = readConfig(
  {
    ...commonConfig,
    ...telemetryConfig,
    ...filesConfig,
    ...mailConfig,
    ...pushConfig,
    ...searchConfig,
    ...apiConfig,
  },
  process.env,
);

const secrets = secretsOf(config);
const stop = shutdownSignal();
const logger = createLogger({ role: 'api', level: config.LOG_LEVEL });
// Uploads that a node was receiving when it was killed.
await removeLeftFolders();
warnOfShortMemory('api', logger, { registrations: config.SHARED_STATE_MEGABYTES });
const tracing = await startTracing(config, 'api', logger);
const redis = connectRedis({ url: config.REDIS_URL, name: 'api', logger });
const push = createPushClient(config);
const app = createApp({
  databaseUrl: config.DATABASE_URL,
  replicaUrls: config.DATABASE_REPLICAS,
  databaseConnections: config.DATABASE_CONNECTIONS,
  redis,
  clock: systemClock,
  logger,
  secrets,
  site: {
    baseUrl: config.BASE_URL,
    baseHost: config.BASE_HOST,
    rootRealm: config.ROOT_REALM,
    fakeEmailDomain: config.FAKE_EMAIL_DOMAIN,
  },
  partitions: config.LOG_PARTITIONS,
  isDevelopment: config.DEVELOPMENT,
  limits: {
    byUser: config.RATE_LIMIT_BY_USER,
    byAddress: config.RATE_LIMIT_BY_ADDRESS,
    filesByUser: config.RATE_LIMIT_FILES_BY_USER,
    filesByAddress: config.RATE_LIMIT_FILES_BY_ADDRESS,
    logins: config.RATE_LIMIT_LOGINS,
    loginsByAddress: config.RATE_LIMIT_LOGINS_BY_ADDRESS,
    wrongKeys: config.RATE_LIMIT_WRONG_KEYS,
    emailChanges: config.RATE_LIMIT_EMAIL_CHANGES,
    passwordResets: config.RATE_LIMIT_PASSWORD_RESETS,
    passwordResetsByAddress: config.RATE_LIMIT_PASSWORD_RESETS_BY_ADDRESS,
  },
  queuesPerUser: config.QUEUES_PER_USER,
  requestsAtOnce: config.REQUESTS_AT_ONCE,
  registrations: { atOnce: config.REGISTRATIONS_AT_ONCE, waitingMax: config.REGISTRATIONS_WAITING },
  sharedStateBytesMax: config.SHARED_STATE_MEGABYTES * 1024 * 1024,
  signIn: signInOptions(config),
  canSendMail: canSendMail(config),
  hasServiceWorker: config.SERVICE_WORKER,
  hasWebPush: config.WEB_PUSH,
  invitationsPerDay: config.INVITATIONS_PER_DAY,
  exportLimits: {
    perWeek: config.EXPORTS_PER_WEEK,
    messages: config.EXPORT_MESSAGES_MAX,
    bytes: config.EXPORT_UPLOADS_GIB_MAX === null ? null : config.EXPORT_UPLOADS_GIB_MAX * 2 ** 30,
  },
  importBytesMax: config.IMPORT_ARCHIVE_GIB,
  store: await createFileStore(config),
  push,
  search: searchOptions(config),
  uploadQuotas: { realmMib: config.UPLOAD_QUOTA_MIB, userMib: config.UPLOAD_QUOTA_PER_USER_MIB },
  addressOf: createRemoteAddress(config.TRUSTED_PROXIES),
  stop,
});

const operations = await startOperationsServer({
  role: 'api',
  port: config.METRICS_PORT,
  host: config.HOST,
  logger,
});
const announced = announceNode({
  redis,
  signer: createSigner(secrets),
  clock: systemClock,
  logger,
  role: 'api',
  measure: createNodeMeasure(),
});
const server = createApiServer(app);
server.listen({ port: config.PORT, host: config.HOST, backlog: 4096 }, () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  process.stdout.write(`${JSON.stringify({ ready: true, role: 'api', port, metrics: operations?.port })}\n`);
});

stop.addEventListener('abort', () => {
  const drainMs = config.DRAIN_SECONDS * 1000;
  exitAfter(drainMs + 10_000);
  server.drain(drainMs, () => {
    void Promise.all([app, push, tracing, announced].map((part) => part[Symbol.asyncDispose]())).finally(
      () => {
        redis.disconnect();
        logger.flush();
        process.exit(0);
      },
    );
  });
});

import { createServer } from 'node:http';

import { createSchemaCheck } from '@parley/db';
import { createEngine } from '@parley/engine';
import { createFileStore, filesConfig } from '@parley/files';
import {
  commonConfig,
  createLogger,
  exitAfter,
  mailConfig,
  pause,
  readConfig,
  secretsOf,
  shutdownSignal,
  systemClock,
  warnOfShortMemory,
} from '@parley/kit';
import { notReady } from '@parley/protocol';
import { createPushClient, pushConfig } from '@parley/push';
import {
  announceNode,
  connectRedis,
  createJobAdmin,
  createJobQueues,
  createSentLately,
  createSigner,
  measureJobs,
} from '@parley/redis';
import { createSearchEngine, searchConfig, searchOptions } from '@parley/search';
import { createNodeMeasure, startOperationsServer, startTracing, telemetryConfig } from '@parley/telemetry';

import { runCanary } from './canary/run-canary.ts';
import { databaseConnections, workerConfig } from './config.ts';
import { createImporter } from './imports/importer.ts';
import { onDemandJobs, recurringJobs } from './jobs/index.ts';
import { sendPushJob } from './jobs/send-push.ts';
import { createMailer } from './mail/mailer.ts';
import { measureDatabase } from './measure-database.ts';
import { measureDueWork } from './measure-due-work.ts';
import { measureMigrations } from './measure-migrations.ts';
import { measureSearchEngine } from './measure-search-engine.ts';
import { webPushPost } from './notifications/web-push-post.ts';
import { createOperatorRoutes } from './operators/routes.ts';
import { createOutbound } from './outbound/client.ts';
import { publicOrIn } from './outbound/public-or-in.ts';
import { runJobs } from './run-jobs.ts';
import { createWebhookClient } from './webhooks/client.ts';

const config = readConfig(
  {
    ...commonConfig,
    ...telemetryConfig,
    ...filesConfig,
    ...mailConfig,
    ...pushConfig,
    ...searchConfig,
    ...workerConfig,
  },
  process.env,
);
const secrets = secretsOf(config);
const stop = shutdownSignal();
const logger = createLogger({ role: 'worker', level: config.LOG_LEVEL });
warnOfShortMemory('worker', logger);
const tracing = await startTracing(config, 'worker', logger);
const redis = connectRedis({ url: config.REDIS_URL, name: 'worker', logger });
const engine = createEngine({
  databaseUrl: config.DATABASE_URL,
  name: 'worker',
  connectionsMax: databaseConnections,
  redis,
  secrets,
  clock: systemClock,
  logger,
  partitions: config.LOG_PARTITIONS,
});
const outbound = createOutbound({ userAgent: `Parley (+${config.BASE_URL})` });
const webhooks = createWebhookClient(config.WEBHOOK_ALLOWED_NETWORKS);
const pushServices = createOutbound({
  userAgent: `Parley (+${config.BASE_URL})`,
  mayConnect: publicOrIn(config.WEB_PUSH_ALLOWED_NETWORKS),
  connectionsPerHost: sendPushJob.concurrency,
});
const push = createPushClient(config, {
  contact: config.WEB_PUSH_CONTACT ?? `https://${config.BASE_HOST}`,
  post: webPushPost(pushServices),
});
const searched = searchOptions(config);
const search = searched && createSearchEngine(searched, { clock: systemClock, logger });
const store = await createFileStore(config);
const site = {
  baseUrl: config.BASE_URL,
  baseHost: config.BASE_HOST,
  rootRealm: config.ROOT_REALM,
  fakeEmailDomain: config.FAKE_EMAIL_DOMAIN,
};
const startJobs = () =>
  runJobs(
    { recurring: recurringJobs, onDemand: onDemandJobs },
    {
      engine,
      store,
      site,
      outbound,
      webhooks,
      mailer: createMailer({
        smtpUrl: config.SMTP_URL,
        folder: config.DEVELOPMENT ? config.MAIL_DIR : undefined,
        from: config.MAIL_FROM ?? `noreply@${config.BASE_HOST}`,
      }),
      push,
      search,
      secrets,
      queues: createJobQueues(redis, systemClock, logger),
      sentLately: createSentLately(redis),
      messagesPerExportPart: 10_000,
      importer: createImporter({ env: process.env, diskBytesMax: config.IMPORT_DISK_GIB }),
      clock: systemClock,
      logger,
      redisUrl: config.REDIS_URL,
    },
  );

const isMigrated = createSchemaCheck(engine.sql);

/** Waits for the schema of this version: until then, workers of the version before go on alone. */
async function startWhenMigrated(): Promise<AsyncDisposable | undefined> {
  while (!stop.aborted && !(await isMigrated())) await pause(500, stop);
  return stop.aborted ? undefined : startJobs();
}
let isRunning = false;
const running = startWhenMigrated().then((jobs) => {
  isRunning = true;
  return jobs;
});
const canary = running.then((jobs) => {
  const { CANARY_URL: url, CANARY_REALM: realm, CANARY_SECONDS: everySeconds } = config;
  if (!jobs || url === undefined) return undefined;
  return runCanary({ engine, site, secrets, logger, url, realm, everySeconds });
});

const signer = createSigner(secrets);
const jobs = createJobAdmin(redis);
const announced = announceNode({
  redis,
  signer,
  clock: systemClock,
  logger,
  role: 'worker',
  measure: createNodeMeasure(),
});
const operations = await startOperationsServer({
  role: 'worker',
  routes: createOperatorRoutes({
    engine,
    redis,
    signer,
    clock: systemClock,
    partitions: config.LOG_PARTITIONS,
    jobs,
  }),
  port: config.METRICS_PORT,
  host: config.HOST,
  logger,
});
if (operations) {
  measureJobs(jobs);
  measureDueWork(engine.db, systemClock);
  measureMigrations(engine.sql);
  measureDatabase(engine.sql);
  if (search) measureSearchEngine(engine.db);
}

/** This server is for health probes only; a worker has no clients. */
const health = createServer(({ url }, response) => {
  const isReady = url !== '/ready' || (isRunning && !stop.aborted);
  const refusal = notReady();
  const body = isReady ? { result: 'success', msg: '' } : refusal.body();
  response.writeHead(isReady ? 200 : refusal.status, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
});
health.listen(config.PORT, config.HOST, () => {
  const address = health.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  process.stdout.write(
    `${JSON.stringify({ ready: true, role: 'worker', port, metrics: operations?.port })}\n`,
  );
});

async function finish(): Promise<void> {
  health.close();
  health.closeAllConnections();
  await (await canary)?.[Symbol.asyncDispose]();
  await (await running)?.[Symbol.asyncDispose]();
  await Promise.all(
    [engine, outbound, webhooks, push, pushServices, ...(search ? [search] : []), tracing, announced].map(
      (one) => one[Symbol.asyncDispose](),
    ),
  );
  redis.disconnect();
}

stop.addEventListener('abort', () => {
  exitAfter(10_000);
  void finish().finally(() => {
    logger.flush();
    process.exit(0);
  });
});

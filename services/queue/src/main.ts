import {
  commonConfig,
  createLogger,
  exitAfter,
  readConfig,
  secretsOf,
  shutdownSignal,
  systemClock,
  warnOfShortMemory,
} from '@parley/kit';
import { Servers, connectSql, createDatabaseWatch } from '@parley/log';
import { announceNode, connectRedis, createSigner } from '@parley/redis';
import { createNodeMeasure, startOperationsServer, startTracing, telemetryConfig } from '@parley/telemetry';

import { createQueueNode } from './app.ts';
import { queueConfig } from './config.ts';
import { socketsWork, unsupportedNode } from './http/sockets-work.ts';

if (!(await socketsWork())) {
  process.stderr.write(`${unsupportedNode(process.version)}\n`);
  process.exit(1);
}

const config = readConfig({ ...commonConfig, ...telemetryConfig, ...queueConfig }, process.env);
const secrets = secretsOf(config);
const logger = createLogger({ role: 'queue', level: config.LOG_LEVEL });
warnOfShortMemory('queue', logger, { rings: config.RING_TOTAL_MEGABYTES });
const tracing = await startTracing(config, 'queue', logger);
const shutdown = shutdownSignal();

const sql = connectSql({ url: config.DATABASE_URL, max: config.DATABASE_CONNECTIONS, name: 'queue' });
const database = createDatabaseWatch(
  connectSql({ url: config.DATABASE_URL, max: 1, name: 'queue-watch' }),
  logger,
);
const servers = new Servers({
  first: { sql },
  database: { url: config.DATABASE_URL, max: config.DATABASE_CONNECTIONS, name: 'queue' },
  open(options, address) {
    const opened = connectSql(options);
    const watching = connectSql({ ...options, name: 'queue-watch', max: 1 });
    const watch = createDatabaseWatch(watching, logger, { other: `The server ${address}` });
    return {
      server: { sql: opened.searching('public') },
      part: (schema) => ({ sql: opened.searching(schema) }),
      watch,
      async [Symbol.asyncDispose]() {
        await Promise.all([watch[Symbol.asyncDispose](), opened.end({ timeout: 2 })]);
      },
    };
  },
});
const node = createQueueNode({
  sql,
  servers,
  database,
  connectRedis: (options) => connectRedis({ ...options, url: config.REDIS_URL, logger }),
  logger,
  clock: systemClock,
  secrets,
  hosts: { baseHost: config.BASE_HOST, rootRealm: config.ROOT_REALM },
  baseUrl: config.BASE_URL,
  partitions: config.LOG_PARTITIONS,
  trustedProxies: config.TRUSTED_PROXIES,
  options: {
    rateLimit: config.EVENTS_RATE_LIMIT,
    pollsLogged: config.LOG_POLLS_ONE_IN,
    drainMs: config.DRAIN_SECONDS * 1000,
    ringEntriesMax: config.RING_ENTRIES,
    ringBytesMax: config.RING_MEGABYTES * 1024 * 1024,
    ringTotalBytesMax: config.RING_TOTAL_MEGABYTES * 1024 * 1024,
  },
});

const port = await node.listen(config.PORT, config.HOST);
const operations = await startOperationsServer({
  role: 'queue',
  port: config.METRICS_PORT,
  host: config.HOST,
  logger,
});
const announced = announceNode({
  redis: connectRedis({ url: config.REDIS_URL, name: 'queue-node', logger }),
  signer: createSigner(secrets),
  clock: systemClock,
  logger,
  role: 'queue',
  measure: createNodeMeasure(),
});
process.stdout.write(`${JSON.stringify({ ready: true, role: 'queue', port, metrics: operations?.port })}\n`);

if (!shutdown.aborted)
  await new Promise((resolve) => shutdown.addEventListener('abort', resolve, { once: true }));
exitAfter((config.DRAIN_SECONDS + 10) * 1000);
await node.drain();
await node[Symbol.asyncDispose]();
await Promise.all([
  sql.end({ timeout: 2 }),
  ...[database, servers, tracing, announced].map((part) => part[Symbol.asyncDispose]()),
]);
process.exit(0);

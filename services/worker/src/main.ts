import { createServer } from 'node:http';

import { commonConfig, createLogger, exitAfter, readConfig, shutdownSignal, systemClock } from '@parley/kit';
import { connectLog } from '@parley/log';

import { recurringJobs } from './jobs/index.ts';
import { runJobs } from './run-jobs.ts';

const config = readConfig(commonConfig, process.env);
const stop = shutdownSignal();
const logger = createLogger({ role: 'worker', level: config.LOG_LEVEL });
const sql = connectLog({ url: config.DATABASE_URL, name: 'worker', max: 4 });
const running = runJobs(recurringJobs, { sql, clock: systemClock, logger, redisUrl: config.REDIS_URL });

/** For probes only: workers serve nobody. */
const health = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"result":"success","msg":""}\n');
});
health.listen(config.PORT, config.HOST, () => {
  const address = health.address();
  const port = typeof address === 'object' && address ? address.port : config.PORT;
  process.stdout.write(`${JSON.stringify({ ready: true, role: 'worker', port })}\n`);
});

async function finish(): Promise<void> {
  health.close();
  health.closeAllConnections();
  await running[Symbol.asyncDispose]();
  await sql.end({ timeout: 5 });
}

stop.addEventListener('abort', () => {
  exitAfter(10_000);
  void finish().finally(() => {
    logger.flush();
    process.exit(0);
  });
});

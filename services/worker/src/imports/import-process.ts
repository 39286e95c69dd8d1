import { ArchiveRefused } from '@parley/archive';
import { createEngine } from '@parley/engine';
import { createFileStore, filesConfig, lowerProcessPriority } from '@parley/files';
import { commonConfig, createLogger, readConfig, secretsOf, systemClock } from '@parley/kit';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { connectRedis, redisReady } from '@parley/redis';

import { Pace } from './pace.ts';
import { readArchive } from './read-archive.ts';
import type { ImportMessage, ImportTask } from './task.ts';

/** The most connections to Postgres of the process that reads an archive, in each of its pools. */
const connectionsMax = 2;
const redisReadyMs = 2_000;
const aliveEveryMs = 5_000;

/*
 * A process of low priority that reads one archive. Its worker starts it with its own settings, tells it what to do, and is
 * told how far it is. When the worker ends, this ends with it.
 */
lowerProcessPriority();
process.on('disconnect', () => process.exit(1));
const alive = setInterval(() => say({ type: 'alive' }), aliveEveryMs);
process.once('message', (task: ImportTask) => {
  void perform(task)
    .catch((error: unknown): ImportMessage => ({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((last) => {
      clearInterval(alive);
      // The process ends when the worker has heard it.
      process.send?.(last, undefined, undefined, () => process.disconnect());
    });
});

function say(message: ImportMessage): void {
  process.send?.(message);
}

async function perform(task: ImportTask): Promise<ImportMessage> {
  const config = readConfig({ ...commonConfig, ...filesConfig }, process.env);
  const logger = createLogger({ role: 'worker', level: config.LOG_LEVEL });
  const connection = connectRedis({ url: config.REDIS_URL, name: 'import', logger });
  const isReady = await redisReady(connection, redisReadyMs);
  if (!isReady) connection.disconnect();
  try {
    await using engine = createEngine({
      databaseUrl: config.DATABASE_URL,
      name: 'import',
      connectionsMax,
      redis: isReady ? connection : null,
      secrets: secretsOf(config),
      clock: systemClock,
      logger,
      partitions: config.LOG_PARTITIONS,
    });
    const realm = model.realms.realmAt(await model.realms.getRealm(engine.db, task.realmId), {
      baseUrl: config.BASE_URL,
      baseHost: config.BASE_HOST,
      rootRealm: config.ROOT_REALM,
      fakeEmailDomain: config.FAKE_EMAIL_DOMAIN,
    });
    if (!realm) throw new Error(`Realm ${task.realmId} has not been created completely.`);
    const pace = new Pace((progress) => say({ type: 'progress', progress }), Date.now);
    const store = await createFileStore(config);
    return { type: 'done', plan: await readArchive({ engine, store, realm, pace }, task) };
  } catch (error) {
    if (error instanceof ArchiveRefused) return { type: 'refused', refusal: error.refusal };
    // Something of the archive is not allowed in this organization.
    if (error instanceof ApiError && error.code !== 'SERVER_NOT_READY') {
      return { type: 'refused', refusal: { code: 'not_allowed', values: { reason: error.message } } };
    }
    throw error;
  } finally {
    // What was published is sent before the connection ends.
    if (isReady) await connection.quit().catch(() => connection.disconnect());
  }
}

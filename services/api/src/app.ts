import { connectDatabase, connectSql } from '@parley/db';
import type { FileStore } from '@parley/files';
import { type Hosts, deriveApiKey, methodNotAllowed } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import { createPublisher, createSender, createTeller } from '@parley/log';
import { ApiError, notReady } from '@parley/protocol';
import { type Redis, createJobs, createRegistry } from '@parley/redis';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { type AdmissionLimits, createAdmission } from './admission.ts';
import { createAuthenticator } from './authenticate.ts';
import { emojiDataPath, extraEmojiPath, serveEmojiData, serveExtraEmoji } from './emoji-data.ts';
import { createFileRoutes } from './files/mount.ts';
import { createTemporaryPaths } from './files/temporary-path.ts';
import { createRealmFinder } from './find-realm.ts';
import { type MountNeeds, refuse, reply, serve } from './mount.ts';
import { createPlannedSender } from './plan-cache.ts';
import { type Rule, createLoginLimit, createRateLimit } from './rate-limits.ts';
import { endpoints } from './routes/index.ts';

const bodyBytesMax = 25 * 1024 * 1024;

export interface ApiNeeds {
  databaseUrl: string;
  databaseConnections: number;
  redis: Redis;
  clock: Clock;
  logger: Logger;
  secret: string;
  hosts: Hosts;
  baseUrl: string;
  partitions: number;
  isDevelopment: boolean;
  limits: { byUser: Rule[]; byAddress: Rule[]; logins: Rule[] };
  registrations: AdmissionLimits;
  store: FileStore;
  addressOf(c: Context): string;
}

/** An API node's application: every endpoint mounted on Hono, and what they need. Listens to nothing by itself. */
export function createApp(needs: ApiNeeds) {
  const { redis, clock, logger, secret, partitions, limits } = needs;
  const database = { url: needs.databaseUrl, name: 'api', max: needs.databaseConnections };
  const db = connectDatabase(database);
  const sql = connectSql(database);
  const publisher = createPublisher({ redis, clock, logger, partitions });
  const registry = createRegistry(redis);
  const jobs = createJobs(redis, logger);

  const mount: MountNeeds = {
    db,
    publisher,
    teller: createTeller({ sql, redis, logger, partitions }),
    sender: createPlannedSender({ db, publisher, sender: createSender({ sql, publisher }), jobs }),
    jobs,
    realms: createRealmFinder({ db, hosts: needs.hosts, baseUrl: needs.baseUrl }),
    authenticator: createAuthenticator({ secret }),
    limits: {
      byUser: createRateLimit(redis, 'user', limits.byUser),
      byAddress: createRateLimit(redis, 'address', limits.byAddress),
      logins: createLoginLimit(redis, limits.logins),
    },
    apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secret, id, keyGeneration),
    async saveQueue(record) {
      await registry.save([{ record, ttlSeconds: record.idleSeconds }]).catch(() => {
        throw notReady();
      });
    },
    admit: createAdmission(needs.registrations),
    store: needs.store,
    temporaryPaths: createTemporaryPaths(secret),
    addressOf: needs.addressOf,
    clock,
    logger,
    isDevelopment: needs.isDevelopment,
  };

  const app = new Hono();
  const tooLarge = () => refuse(new ApiError('BAD_REQUEST', 'The request is too large.'), logger);
  const limited = bodyLimit({ maxSize: bodyBytesMax, onError: tooLarge });
  app.get('/health', async () => {
    await sql`select 1`;
    return Response.json({ result: 'success', msg: '' });
  });
  app.get(emojiDataPath, serveEmojiData);
  app.get(extraEmojiPath, serveExtraEmoji);

  const served = endpoints.filter(({ developmentOnly }) => needs.isDevelopment || !developmentOnly);
  for (const endpoint of served) {
    const path = `/api/v1${endpoint.path}`;
    // Files have limits of their own, and are not held in memory.
    if (endpoint.upload) app.on(endpoint.method, path, serve(endpoint, mount));
    else app.on(endpoint.method, path, limited, serve(endpoint, mount));
  }
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const methods = served.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    app.all(`/api/v1${path}`, (c) => {
      const allow = {
        Allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
      };
      if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: allow });
      return reply(methodNotAllowed(methods), 405, allow);
    });
  }
  app.route('/', createFileRoutes(mount));
  app.notFound(() => refuse(new ApiError('NOT_FOUND', 'There is nothing at this address.'), logger));
  app.onError((error) => refuse(error, logger));

  return Object.assign(app, {
    async [Symbol.asyncDispose]() {
      await Promise.all([db[Symbol.asyncDispose](), sql.end({ timeout: 5 })]);
    },
  });
}

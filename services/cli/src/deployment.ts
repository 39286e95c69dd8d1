import type { UserRow } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import { type Secrets, createLogger, systemClock } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { type Redis, connectRedis, redisReady } from '@parley/redis';

import { type Settings, knownSecrets } from './environment.ts';
import { Refusal } from './refusal.ts';

/** The servers that a command works on. */
export interface Deployment extends AsyncDisposable {
  databaseUrl: string;
  engine: Engine;
  site: model.realms.Site;
  /** Null where it is not configured or does not answer: nodes then find changes in Postgres. */
  redis: Redis | null;
  partitions: number;
  /**
   * The organization with this name, also one that is deactivated; without a name, the only one that there is.
   *
   * @throws Refusal if there is none, or if a name is needed
   */
  getRealm(name?: string): Promise<Realm>;
  /**
   * The account, of a person or a bot, with this email address.
   *
   * @throws Refusal if there is none
   */
  getUser(realm: Realm, email: string): Promise<UserRow>;
  /** The server's secrets, if they are configured. */
  secrets: Secrets | undefined;
  /**
   * The server's secrets, from which API keys are derived.
   *
   * @throws Refusal if it is not configured
   */
  getSecrets(): Secrets;
  /** @throws Refusal if Redis is not configured or does not answer */
  getRedis(): Redis;
}

const redisReadyMs = 2_000;

/** Connects to the servers that the settings name. */
export async function openDeployment(config: Settings): Promise<Deployment> {
  const logger = createLogger({ role: 'cli', level: 'silent' });
  const secrets = knownSecrets(config);
  const connection = config.REDIS_URL ? connectRedis({ url: config.REDIS_URL, name: 'cli', logger }) : null;
  const isReady = connection !== null && (await redisReady(connection, redisReadyMs));
  if (!isReady) connection?.disconnect();
  const redis = isReady ? connection : null;
  const partitions = config.LOG_PARTITIONS;
  const engine = createEngine({
    databaseUrl: config.DATABASE_URL,
    name: 'cli',
    connectionsMax: 2,
    // What is not signed is not believed, so that it is not published.
    redis: secrets === undefined ? null : redis,
    secrets: secrets ?? [''],
    clock: systemClock,
    logger,
    partitions,
  });
  const site = {
    baseUrl: config.BASE_URL,
    baseHost: config.BASE_HOST,
    rootRealm: config.ROOT_REALM,
    fakeEmailDomain: config.FAKE_EMAIL_DOMAIN,
  };

  async function findRow(name: string | undefined) {
    if (name !== undefined) {
      const row = await model.realms.findRealm(engine.db, name);
      if (row) return row;
      throw new Refusal(`There is no organization ${name}.`, 'List them: parley realm list');
    }
    const rows = await model.realms.listRealms(engine.db);
    const [only] = rows;
    if (!only) throw new Refusal('There is no organization yet.', 'Create one: parley realm create --help');
    if (rows.length === 1) return only;
    const names = rows.slice(0, 20).map((row) => row.name);
    throw new Refusal('There are several organizations.', `Choose one with --realm: ${names.join(', ')}`);
  }

  return {
    databaseUrl: config.DATABASE_URL,
    engine,
    site,
    redis,
    partitions,
    secrets,
    async getRealm(name) {
      const row = await findRow(name);
      const realm = model.realms.realmAt(row, site);
      if (!realm)
        throw new Refusal(
          `The organization ${row.name} has not been created completely.`,
          'Run this again: parley realm create',
        );
      return realm;
    },
    async getUser(realm, email) {
      const user = await model.users.findUserByEmail(engine.db, realm.id, email);
      if (user && !user.isSystem) return user;
      throw new Refusal(`${realm.name} has no account ${email}.`);
    },
    getSecrets() {
      if (secrets) return secrets;
      throw new Refusal('PARLEY_SECRET is not set.', 'Set it to the same value as the nodes.');
    },
    getRedis() {
      if (redis) return redis;
      if (connection)
        throw new Refusal('Redis does not answer.', 'Check REDIS_URL, and run `parley health` for details.');
      throw new Refusal('REDIS_URL is not set.', 'Set it to the same value as the nodes.');
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      // What was published is sent before the connection ends.
      if (redis) await redis.quit().catch(() => redis.disconnect());
    },
  };
}

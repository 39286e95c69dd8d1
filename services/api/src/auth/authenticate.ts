import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import { tables } from '@parley/db';
import type { SqlServers } from '@parley/engine';
import {
  type BasicCredentials,
  acceptedApiKeys,
  createKeyDigests,
  isAcceptedKey,
  sameKey,
} from '@parley/http';
import { SmallCache, type Logger, type Secrets, bytesOfData, BoundedCache } from '@parley/kit';
import { type Actor, type Realm, actorOf } from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import { type SQL, and, eq, sql } from 'drizzle-orm';

import { type ReadAccount, createAccountVersions, versionOfUser } from './account-versions.ts';
import { RealmRenamed } from './find-realm.ts';

/** How long an account is remembered, and how long it may be recalled without a look at its row. */
const rememberedMs = 600_000;
const recalledMs = 60_000;
/** The accounts of which the log has said within this time that they use a key of the other secret. */
const toldMax = 10_000;
const toldMs = 3_600_000;

export interface Authenticator {
  /**
   * Reads the account from the database.
   * @throws UNAUTHORIZED for an unknown address or a wrong key, then for a deactivated organization or account
   * @throws {RealmRenamed}
   */
  authenticate(tx: Tx, realm: Realm, credentials: BasicCredentials): Promise<Actor>;
  /**
   * The same for whoever was lately authenticated with this key: if the account's row is still the one that was read
   * then, it is not read again.
   *
   * @throws what `authenticate` throws
   */
  confirm(tx: Tx, realm: Realm, credentials: BasicCredentials): Promise<Actor>;
  /**
   * Reads the account that has this key, for addresses that carry a key and no email. It is found by the digest of the
   * key in one look-up, or among accounts whose digests are not written yet.
   *
   * @throws SERVER_NOT_READY while there are many of those
   */
  authenticateByKey(tx: Tx, realm: Realm, apiKey: string): Promise<Actor>;
  /** The account as it was within the last minute, if it was authenticated with the same key. */
  recall(realm: Realm, credentials: BasicCredentials): Actor | undefined;
}

interface AuthenticatorDeps {
  secrets: Secrets;
  logger: Logger;
  /** Hold the accounts, and the digests of their keys. */
  servers: SqlServers;
}

export function createAuthenticator({ secrets, servers, logger }: AuthenticatorDeps): Authenticator {
  const authenticated = new BoundedCache<string, Authenticated>('accounts', {
    bytesOf: (account) => bytesOfData(account, (part) => part === account.actor.realm),
    ttlMs: rememberedMs,
  });
  const versions = createAccountVersions(servers);
  const cacheKeyOf = (realm: Realm, { email }: BasicCredentials) => `${realm.id}:${email.toLowerCase()}`;
  const digests = createKeyDigests(secrets);
  const told = new SmallCache<number, true>(toldMax, { ttl: toldMs });
  const isKeyOf =
    (apiKey: string) =>
    ({ user, realmName }: FoundAccount) => {
      const accepted = acceptedApiKeys(secrets, user.id, user.keyGeneration);
      if (!isAcceptedKey(accepted, apiKey)) return false;
      if (!sameKey(accepted[0], apiKey) && !told.has(user.id)) {
        told.set(user.id, true);
        logger.info({ realm: realmName, user: user.id }, 'an API key of the other secret is in use');
      }
      return true;
    };

  /** The account, if it was lately authenticated with the same key. */
  const lately = (realm: Realm, credentials: BasicCredentials): Authenticated | undefined => {
    const recent = authenticated.get(cacheKeyOf(realm, credentials));
    return recent && sameKey(recent.apiKey, credentials.apiKey) ? recent : undefined;
  };

  const authenticator: Authenticator = {
    async authenticate(tx, realm, credentials) {
      const cacheKey = cacheKeyOf(realm, credentials);
      authenticated.delete(cacheKey);
      const found = await findAccounts(
        tx,
        realm,
        eq(sql`lower(${tables.users.email})`, credentials.email.toLowerCase()),
      );
      const account = found.find(isKeyOf(credentials.apiKey));
      const actor = admit(realm, account);
      if (account) {
        const { version } = account;
        authenticated.set(cacheKey, {
          apiKey: credentials.apiKey,
          actor,
          version,
          seenMs: performance.now(),
        });
      }
      return actor;
    },
    async confirm(tx, realm, credentials) {
      const recent = lately(realm, credentials);
      if (!recent) return await authenticator.authenticate(tx, realm, credentials);
      const askedMs = performance.now();
      if (!(await versions.isCurrent(readOf(realm, recent))))
        return await authenticator.authenticate(tx, realm, credentials);
      recent.seenMs = askedMs;
      return recent.actor;
    },
    async authenticateByKey(tx, realm, apiKey) {
      const found = await findAccounts(tx, realm, hasKey(realm, digests.ofKey(apiKey), digests.secrets));
      const account = found.find(isKeyOf(apiKey));
      const unfilled = found.filter(
        ({ user }) =>
          user.keyDigestsGeneration !== user.keyGeneration || user.keyDigestsSecrets !== digests.secrets,
      ).length;
      if (unfilled > 0) await actions.users.fillKeyDigests(await servers.sqlOf(realm.id), digests, realm.id);
      // It may be the key of one that was not looked at.
      if (!account && unfilled >= actions.users.unfilledAtOnce) throw notReady();
      return admit(realm, account);
    },
    recall(realm, credentials) {
      const recent = lately(realm, credentials);
      return recent && performance.now() - recent.seenMs < recalledMs ? recent.actor : undefined;
    },
  };
  return authenticator;
}

/** An account that was authenticated. */
interface Authenticated {
  apiKey: string;
  actor: Actor;
  /** That of its row. */
  version: string;
  /** When it was last seen to be so. */
  seenMs: number;
}

const readOf = (realm: Realm, { actor, version }: Authenticated): ReadAccount => ({
  id: actor.id,
  realmId: realm.id,
  realmName: realm.name,
  version,
  keyGeneration: actor.keyGeneration,
  role: actor.role,
});

/** Is true of the account with the digest of a key, and of some whose digests are not known. Each part has an index. */
function hasKey(realm: Realm, digests: readonly string[], secrets: string): SQL {
  const portion = sql.raw(`limit ${actions.users.unfilledAtOnce}`);
  // Postgres reads an array once, whatever it expects of the tables.
  return sql`${tables.users.id} = any(array(
    select id from users where realm_id = ${realm.id} and key_digests && ${sql.param(digests)}::text[]
    union all (
      select id from users where realm_id = ${realm.id} and key_digests_generation is distinct from key_generation
      ${portion}
    )
    union all (select id from users where realm_id = ${realm.id} and key_digests_secrets < ${secrets} ${portion})
    union all (select id from users where realm_id = ${realm.id} and key_digests_secrets > ${secrets} ${portion})
  ))`;
}

type FoundAccount = Awaited<ReturnType<typeof findAccounts>>[number];

async function findAccounts(tx: Tx, realm: Realm, condition: SQL) {
  const { users, realms } = tables;
  return await tx
    .select({
      user: users,
      version: sql.raw(versionOfUser) as SQL<string>,
      realmName: realms.name,
      realmIsActive: realms.isActive,
    })
    .from(users)
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(and(eq(users.realmId, realm.id), condition));
}

/** Returns the account, if there is one with the key and it may be used. */
function admit(realm: Realm, account: FoundAccount | undefined): Actor {
  // An unknown address and a wrong key get the same answer.
  if (!account) throw new ApiError('UNAUTHORIZED', 'This API key is not valid.');
  const { user, realmName, realmIsActive } = account;
  if (realmName !== realm.name) throw new RealmRenamed(realm);
  if (!realmIsActive) throw new ApiError('UNAUTHORIZED', 'This organization has been deactivated.');
  if (!user.isActive) throw new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  return actorOf(user, realm);
}

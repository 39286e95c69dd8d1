import * as actions from '@parley/actions';
import type { Sql, Tx } from '@parley/db';
import { tables } from '@parley/db';
import { type BasicCredentials, deriveApiKey, digestApiKey, sameKey } from '@parley/http';
import { type Actor, type Realm, actorOf } from '@parley/model';
import { ApiError, notReady } from '@parley/protocol';
import { type SQL, and, eq, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

import { RealmRenamed } from './find-realm.ts';

const cachedMax = 50_000;
const cachedMs = 60_000;

export interface Authenticator {
  /**
   * Reads the account from the database.
   * @throws UNAUTHORIZED for an unknown address or a wrong key, then for a deactivated organization or account
   * @throws {RealmRenamed}
   */
  authenticate(tx: Tx, realm: Realm, credentials: BasicCredentials): Promise<Actor>;
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
  secret: string;
  /** Writes the digests of keys. */
  sql: Sql;
}

export function createAuthenticator({ secret, sql: client }: AuthenticatorDeps): Authenticator {
  const authenticated = new LRUCache<string, { apiKey: string; actor: Actor }>({
    max: cachedMax,
    ttl: cachedMs,
  });
  const cacheKeyOf = (realm: Realm, { email }: BasicCredentials) => `${realm.id}:${email.toLowerCase()}`;
  const digestOf = (userId: number, generation: number) =>
    digestApiKey(secret, deriveApiKey(secret, userId, generation));
  const isKeyOf =
    (apiKey: string) =>
    ({ user }: FoundAccount) =>
      sameKey(apiKey, deriveApiKey(secret, user.id, user.keyGeneration));

  return {
    async authenticate(tx, realm, credentials) {
      const cacheKey = cacheKeyOf(realm, credentials);
      authenticated.delete(cacheKey);
      const found = await findAccounts(
        tx,
        realm,
        eq(sql`lower(${tables.users.email})`, credentials.email.toLowerCase()),
      );
      const actor = admit(realm, found.find(isKeyOf(credentials.apiKey)));
      authenticated.set(cacheKey, { apiKey: credentials.apiKey, actor });
      return actor;
    },
    async authenticateByKey(tx, realm, apiKey) {
      const found = await findAccounts(tx, realm, hasKey(realm, digestApiKey(secret, apiKey)));
      const account = found.find(isKeyOf(apiKey));
      const unfilled = found.filter(({ user }) => user.keyDigestGeneration !== user.keyGeneration).length;
      if (unfilled > 0) await actions.users.fillKeyDigests(client, digestOf, realm.id);
      // It may be the key of one that was not looked at.
      if (!account && unfilled >= actions.users.unfilledAtOnce) throw notReady();
      return admit(realm, account);
    },
    recall(realm, credentials) {
      const recent = authenticated.get(cacheKeyOf(realm, credentials));
      return recent && sameKey(recent.apiKey, credentials.apiKey) ? recent.actor : undefined;
    },
  };
}

/** Is true of the account with the digest of a key, and of some whose digests are not known. Each part has an index. */
const hasKey = (realm: Realm, digest: string): SQL => sql`${tables.users.id} in (
  select id from users where realm_id = ${realm.id} and key_digest = ${digest}
  union all (
    select id from users where realm_id = ${realm.id} and key_digest_generation is distinct from key_generation
    limit ${sql.raw(String(actions.users.unfilledAtOnce))}
  )
)`;

type FoundAccount = Awaited<ReturnType<typeof findAccounts>>[number];

async function findAccounts(tx: Tx, realm: Realm, condition: SQL) {
  const { users, realms } = tables;
  return await tx
    .select({ user: users, realmName: realms.name, realmIsActive: realms.isActive })
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

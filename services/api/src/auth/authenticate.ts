import type { Tx } from '@parley/db';
import { tables } from '@parley/db';
import { type BasicCredentials, deriveApiKey, sameKey } from '@parley/http';
import { type Actor, type Realm, actorOf } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';
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
   * Reads the account that has this key, for addresses that carry a key and no email. Keys are derived and not stored,
   * so the first use of a key compares it with those of all accounts of the realm.
   */
  authenticateByKey(tx: Tx, realm: Realm, apiKey: string): Promise<Actor>;
  /** The account as it was within the last minute, if it was authenticated with the same key. */
  recall(realm: Realm, credentials: BasicCredentials): Actor | undefined;
}

export function createAuthenticator({ secret }: { secret: string }): Authenticator {
  const authenticated = new LRUCache<string, { apiKey: string; actor: Actor }>({
    max: cachedMax,
    ttl: cachedMs,
  });
  const keyOf = (realm: Realm, { email }: BasicCredentials) => `${realm.id}:${email.toLowerCase()}`;

  const emails = new LRUCache<string, string>({ max: cachedMax, ttl: cachedMs });
  async function search(tx: Tx, realm: Realm, apiKey: string) {
    const { users } = tables;
    const accounts = await tx
      .select({ id: users.id, email: users.email, generation: users.keyGeneration })
      .from(users)
      .where(and(eq(users.realmId, realm.id), users.isActive));
    const account = accounts.find(({ id, generation }) =>
      sameKey(apiKey, deriveApiKey(secret, id, generation)),
    );
    if (!account) throw new ApiError('UNAUTHORIZED', 'This API key is not valid.');
    emails.set(`${realm.id}:${apiKey}`, account.email);
    return account.email;
  }

  return {
    async authenticate(tx, realm, credentials) {
      const key = keyOf(realm, credentials);
      authenticated.delete(key);
      const actor = await findAccount(tx, realm, credentials.email, (userId, generation) =>
        sameKey(credentials.apiKey, deriveApiKey(secret, userId, generation)),
      );
      authenticated.set(key, { apiKey: credentials.apiKey, actor });
      return actor;
    },
    async authenticateByKey(tx, realm, apiKey) {
      const cached = emails.get(`${realm.id}:${apiKey}`);
      const email = cached ?? (await search(tx, realm, apiKey));
      return await this.authenticate(tx, realm, { email, apiKey });
    },
    recall(realm, credentials) {
      const recent = authenticated.get(keyOf(realm, credentials));
      return recent && sameKey(recent.apiKey, credentials.apiKey) ? recent.actor : undefined;
    },
  };
}

type IsKey = (userId: number, generation: number) => boolean;

async function findAccount(tx: Tx, realm: Realm, email: string, isKey: IsKey): Promise<Actor> {
  const { users, realms } = tables;
  const [row] = await tx
    .select({ user: users, realmName: realms.name, realmIsActive: realms.isActive })
    .from(users)
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(and(eq(users.realmId, realm.id), eq(sql`lower(${users.email})`, email.toLowerCase())));
  // An unknown address and a wrong key get the same answer.
  if (!row || !isKey(row.user.id, row.user.keyGeneration))
    throw new ApiError('UNAUTHORIZED', 'This API key is not valid.');
  if (row.realmName !== realm.name) throw new RealmRenamed(realm);
  if (!row.realmIsActive) throw new ApiError('UNAUTHORIZED', 'This organization has been deactivated.');
  const { user } = row;
  if (!user.isActive) throw new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  return actorOf(user, realm);
}

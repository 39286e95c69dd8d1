import { acceptedApiKeys } from '@parley/http';
import type { Secrets } from '@parley/kit';
import type { Credentials } from '@parley/log';

import type { QueueCredentials } from './queue-credentials.ts';

/** Finds the credentials of queues' owners, and knows which of them have been revoked since. */
export interface CredentialsStore {
  /** Reads from Postgres. Lookups at the same moment share one query, of each server that holds some of their realms. */
  find(userId: number, realmId: number): Promise<QueueCredentials>;
  isCurrent(credentials: QueueCredentials, userId: number): boolean;
  /** Everything found for these users so far stops being current. */
  revoke(userIds: readonly number[]): void;
}

type Found = ReadonlyMap<number, Credentials | Error>;

const nobody = {
  email: '',
  apiKeys: [],
  isGuest: false,
  realm: '',
  sessions: new Map<string, number>(),
  refusal: null,
};

export function createCredentialsStore({ read, secrets }: CredentialsStoreDeps): CredentialsStore {
  const revocations = new Map<number, number>();
  let batch: { realmOf: Map<number, number>; found: Promise<Found> } | null = null;

  function findInBatch(userId: number, realmId: number): Promise<Found> {
    if (!batch) {
      const realmOf = new Map<number, number>();
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        batch = null;
        return read(realmOf);
      });
      batch = { realmOf, found };
    }
    batch.realmOf.set(userId, realmId);
    return batch.found;
  }

  return {
    async find(userId, realmId) {
      // Counted before the query: a revocation that overtakes the result makes it void.
      const revocationCount = revocations.get(userId) ?? 0;
      const row = (await findInBatch(userId, realmId)).get(userId);
      if (row instanceof Error) throw row;
      if (!row) return { ...nobody, revocationCount };
      return {
        email: row.email.toLowerCase(),
        apiKeys: acceptedApiKeys(secrets, userId, row.generation),
        isGuest: row.isGuest,
        realm: row.realm,
        sessions: row.sessions,
        refusal: row.refusal,
        revocationCount,
      };
    },
    isCurrent: (credentials, userId) => credentials.revocationCount === (revocations.get(userId) ?? 0),
    revoke(userIds) {
      for (const userId of userIds) revocations.set(userId, (revocations.get(userId) ?? 0) + 1);
    },
  };
}

interface CredentialsStoreDeps {
  /**
   * Reads from Postgres the credentials of users of these realms. Users who do not exist are missing from the result; of
   * those on a server that does not answer, it says why.
   */
  readonly read: (realmOf: ReadonlyMap<number, number>) => Promise<Found>;
  secrets: Secrets;
}
